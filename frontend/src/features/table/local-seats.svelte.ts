// The seats that this device holds at a table, and the one of them that acts: several people may share the device.

import { getMyTables, getTable, sleep } from "$core/http/api.ts";
import { isOver, type EventMessage } from "$core/http/types.ts";
import { device } from "$core/device/device.svelte.ts";
import { afterCurtain, nextActiveSeat, NO_SEAT, type ActiveSeat } from "./active-seat.ts";
import { stateOf, type TableState } from "./apply-event.ts";
import type { TableFeed } from "./table-feed.svelte.ts";

const RETRY = 1_000; // ms after which a seat's view that failed is loaded again

export class LocalSeats {
  private tokens = $state.raw<readonly string[]>([]);
  private tokenBySeat = $state.raw<Readonly<Record<number, string>>>({});
  private active = $state.raw<ActiveSeat>(NO_SEAT); // where several seats are held
  private activeView = $state.raw<TableState | null>(null); // the table as the active seat sees it
  private rotation = $state(0); // by how many seats the board has been turned

  readonly local: readonly number[] = $derived.by(() => Object.keys(this.tokenBySeat).map(Number));
  readonly isHotSeat: boolean = $derived.by(() => this.tokens.length > 1);
  /** The seat through whose eyes the table is seen; null: a spectator's. */
  readonly you: number | null = $derived.by(() =>
    this.isHotSeat ? this.active.seat : (this.feed.table?.you ?? null),
  );
  /** The seats whose moves count as the viewer's own. */
  readonly own: readonly number[] = $derived.by(() => (this.you === null ? this.local : [this.you]));
  readonly curtain: number | null = $derived.by(() => this.active.curtain);
  /** The seats held here that nobody has left. */
  readonly playing: readonly number[] = $derived.by(() =>
    this.local.filter((seat) => !this.feed.table?.seats[seat]?.away),
  );
  /** The seat that acts now: the active one, the one whose turn it is to take the device, or any that is held. */
  readonly acting: number | null = $derived.by(() => {
    const { you, active, playing, local } = this;
    const atBottom = playing.find((seat) => seat === active.side);
    return you ?? active.curtain ?? atBottom ?? playing[0] ?? local[0] ?? null;
  });
  /** The seat at the bottom of the board. */
  readonly bottom: number = $derived.by(() => {
    const side = this.you ?? this.active.side ?? this.local[0] ?? 0;
    return (side + this.rotation) % (this.feed.table?.seats.length ?? 1);
  });
  /** The table as it is seen here: the streamed one, with what only the active seat sees. */
  readonly table: TableState | null = $derived.by(() => {
    const { active, activeView } = this;
    const { table } = this.feed;
    if (!this.isHotSeat || !table || activeView?.you === undefined || activeView.you !== active.seat)
      return table;
    if (activeView.position_since !== table.position_since) return table;
    const { you, start, facts } = activeView;
    const legal = table.to_move === you && !table.seats[you]?.level ? activeView.legal : undefined;
    return { ...table, you, start, facts, legal };
  });

  private isSeatFreed = false; // one of ours, since the last reset
  private requestedView = "";
  private isClosed = false;

  constructor(
    private readonly id: string,
    private readonly feed: TableFeed,
    private readonly isCaughtUp: () => boolean, // the board shows the present
  ) {}

  close(): void {
    this.isClosed = true;
  }

  /** Begin anew with the tokens of this device. */
  reset(): void {
    this.isSeatFreed = false;
    this.tokens = device.tokensAt(this.id);
    this.tokenBySeat = {};
    this.active = NO_SEAT;
  }

  /** The server does not know our tokens: we are spectators. */
  dropAll(): void {
    for (const token of this.tokens) device.miss(token);
    this.tokens = [];
    this.tokenBySeat = {};
  }

  /** Of the seat that acts now. */
  get token(): string | null {
    return (this.acting === null ? null : this.tokenBySeat[this.acting]) ?? null;
  }

  tokenOf(seat: number): string {
    return this.tokenBySeat[seat]!;
  }

  get held(): { seat: number; token: string }[] {
    return this.local.map((seat) => ({ seat, token: this.tokenOf(seat) }));
  }

  /** Several seats have a spectator's stream: nothing in it is secret. */
  get streamToken(): string | null {
    return this.tokens.length === 1 ? this.tokens[0]! : null;
  }

  /** Whether somebody here plays a game that is on. */
  get isInPlay(): boolean {
    return this.tokens.length > 0 && !(this.feed.table && isOver(this.feed.table));
  }

  /** See the board from the next seat's side. */
  turnBoard(): void {
    this.rotation++;
  }

  /** The player that the curtain asks for has the device now. */
  liftCurtain(): void {
    this.active = afterCurtain(this.active);
  }

  applyEvent({ event }: EventMessage): void {
    if (event.kind !== "unrevealed" || !this.tokenBySeat[event.seat]) return;
    device.miss(this.tokenBySeat[event.seat]!);
    this.isSeatFreed = true;
  }

  /** Find out which seats we hold, before the table is updated; false if a token holds none any more. */
  async identify(table: TableState, isSnapshot: boolean): Promise<boolean> {
    if (this.isSeatFreed) return false;
    if (!this.isHotSeat) {
      if (table.you !== undefined && this.tokens[0]) this.tokenBySeat = { [table.you]: this.tokens[0] };
      return true;
    }
    const hasBegun = table.start !== undefined;
    const hasJustBegun = hasBegun && this.feed.table?.start === undefined; // seats may have been drawn
    const mayBeFreed = isSnapshot && !hasBegun && table.number !== this.feed.table?.number;
    if (hasJustBegun || mayBeFreed || this.local.length !== this.tokens.length) await this.requestSeats();
    return this.local.length === this.tokens.length;
  }

  private async requestSeats(): Promise<void> {
    const seats: Record<number, string> = {};
    for (const token of this.tokens) {
      const [held] = await getMyTables([token]);
      if (held?.id === this.id) seats[held.you] = token;
      else device.miss(token);
    }
    this.tokenBySeat = seats;
  }

  /** Store on this device what is known of its seats. */
  save(table: TableState): void {
    if (this.local.length === 0) return;
    device.learn([{ id: this.id, game: table.game, over: isOver(table) }]);
    if (table.start !== undefined) return; // seats may have been drawn
    for (const { seat, token } of this.held) device.noteSeat(token, { seat, since: table.number });
  }

  /** An effect: the seat to move becomes the active one when the board shows that it is its turn. */
  updateActive(): void {
    const { local, isHotSeat } = this;
    const { table } = this.feed;
    if (!table || !isHotSeat || local.length === 0) return;
    const next = nextActiveSeat(this.active, {
      caughtUp: this.isCaughtUp(),
      toMove: table.to_move ?? null,
      local,
      secrets: table.secrets ?? false,
    });
    if (next !== this.active) this.active = next;
    if (next.seat !== null && table.to_move === next.seat) void this.loadView(next.seat, table);
  }

  /** Load what a seat may see and play. */
  private async loadView(seat: number, { position_since, seats }: TableState): Promise<void> {
    const request = `${seat} ${position_since} ${seats[seat]?.level}`; // a bot may stand in
    if (this.requestedView === request) return;
    this.requestedView = request;
    try {
      const view = await getTable(this.id, this.tokenOf(seat));
      if (this.requestedView === request) this.activeView = stateOf(view);
    } catch {
      await sleep(RETRY);
      if (this.requestedView === request && !this.isClosed) {
        this.requestedView = "";
        this.updateActive();
      }
    }
  }
}
