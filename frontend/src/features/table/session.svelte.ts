// A table as this device knows it: its stream, the seats held here, and what is done for them.

import { pacingOf } from "$engine/boards.ts";
import {
  postAction,
  request,
  randomHex,
  getHistory,
  getMyTables,
  getTable,
  sleep,
  ApiError,
  type ActionArguments,
} from "$core/http/api.ts";
import type { Action } from "$core/http/routes.ts";
import { device } from "$core/device/device.svelte.ts";
import { reducedMotion } from "$core/a11y/motion.ts";
import { commitments } from "$core/tables/commitments.ts";
import { isLostBy, noteEnd, sitDown } from "$core/tables/seats.ts";
import { fingerprint } from "$core/crypto/sha256.ts";
import { advanceStart, advanceStartBriefly, newNonce, type Refusal } from "$core/tables/starting.ts";
import { after, Missed, tellsTime } from "./news.ts";
import type { Message } from "$core/http/read-events.ts";
import { Follower } from "$core/http/table-stream.ts";
import {
  isOver,
  playedBy,
  seatIn,
  type Line,
  type Choice,
  type Notice,
  type StepView,
  type TableView,
  type EventMessage,
  type Why,
} from "$core/http/types.ts";
import { onceHinted, withReturns } from "./notices.ts";
import { inFront, lifted, NOBODY, type Front } from "./hotseat.ts";
import { Projector } from "$engine/projector.svelte.ts";
import { Timeline } from "$engine/timeline.ts";

/** Events that are told in the log, besides moves. */
const NOTICED: ReadonlySet<string> = new Set([
  "unrevealed",
  "undo-asked",
  "undo-refused",
  "undone",
  "left",
  "taken-over",
  "reclaimed",
  "timed-out",
  "resigned",
  "paused",
  "hinted",
]);

const SEEN = 1_200; // ms in which a last move is looked at, before the end is told
const TOLD = 3_000; // ms after which a move that is stored should have been told

export class Session {
  timeline = $state.raw(Timeline.EMPTY);
  said = $state.raw<readonly Line[]>([]);
  private noted = $state.raw<readonly Notice[]>([]);
  present = $state.raw<readonly number[] | null>(null); // the seats whose people are there, once it is told
  connected = $state(false);
  missing = $state(false); // there is no such table
  startRefusal = $state<Refusal | null>(null); // why this device does not reveal its nonce
  preparing = $state.raw<ApiError | null>(null); // what is played here cannot be played yet
  receivedAt = $state(0); // by our clock, when the time that is left was told
  sending = $state.raw<StepView | null>(null); // our own move, until it is stored or refused
  trying = $state(false); // sending it has failed, and goes on

  private followed = $state.raw<TableView | null>(null); // as the stream tells it
  private tokenOf = $state.raw<Readonly<Record<number, string>>>({}); // by seat
  private front = $state.raw<Front>(NOBODY);
  /** What happened besides moves. */
  readonly notices: readonly Notice[] = $derived.by(() =>
    withReturns(onceHinted(this.noted), this.timeline.steps),
  );
  /** Seats that were freed before the game, and are still free. */
  readonly lost: readonly Notice[] = $derived.by(() => {
    const freed = this.noted.filter(({ kind }) => kind === "unrevealed");
    const last = new Map(freed.map((notice) => [notice.seat, notice])); // by seat
    return (this.followed?.seats ?? []).flatMap((seat, number, seats) => {
      const notice = seat.taken || seat.level ? undefined : last.get(number);
      const elsewhere = notice?.name && seats.some(({ name }) => name === notice.name); // whoever lost it has another seat by now
      return notice && !elsewhere ? [notice] : [];
    });
  });
  /** The same of this device's own seats, whether they are free or not. */
  readonly ownLost: readonly Notice[] = $derived.by(() => {
    const held = device.seats.filter(({ table }) => table === this.id);
    return this.noted.filter((notice) => held.some((seat) => isLostBy(seat, notice)));
  });
  readonly freed: boolean = $derived.by(() => this.ownLost.length > 0);
  private seen = $state.raw<TableView | null>(null); // through the eyes of the seat in front
  private refusals = $state.raw<{ since: number; why: ReadonlyMap<string, Why> } | null>(null);
  private tokens = $state.raw<readonly string[]>([]);

  readonly projector: Projector = new Projector(
    { wait: sleep, hurries: () => document.hidden || reducedMotion() },
    () => pacingOf(this.followed?.game ?? ""),
    () => (this.you === null ? this.local : [this.you]),
  );

  /** The seats that are held on this device. */
  readonly local: readonly number[] = $derived.by(() => Object.keys(this.tokenOf).map(Number));
  readonly hotSeat: boolean = $derived.by(() => this.tokens.length > 1);
  /** The seat through whose eyes we look. */
  readonly you: number | null = $derived.by(() =>
    this.hotSeat ? this.front.seat : (this.followed?.you ?? null),
  );
  readonly curtain: number | null = $derived.by(() => this.front.curtain);
  private turned = $state(0); // by how many seats somebody has turned the board
  readonly bottom: number = $derived.by(() => {
    const side = this.you ?? this.front.side ?? this.local[0] ?? 0;
    return (side + this.turned) % (this.followed?.seats.length ?? 1);
  });
  readonly table: TableView | null = $derived.by(() => {
    const { followed, seen } = this;
    if (!this.hotSeat || !followed || seen?.you === undefined || seen.you !== this.front.seat)
      return followed;
    if (seen.position_since !== followed.position_since) return followed;
    const { you, start, view, drawing, facts, last } = seen;
    const legal = followed.to_move === you && !followed.seats[you]?.level ? seen.legal : undefined;
    return { ...followed, you, start, view, drawing, facts, last, legal };
  });

  /** Everything that has happened has been shown; what is told of the table follows it. */
  readonly live: boolean = $derived.by(() => this.projector.live);
  readonly over: boolean = $derived.by(() => this.live && this.table?.result !== undefined);
  /** The end may be told: what decided it has been seen. */
  concluded = $state(false);
  private watched = false; // somebody here saw the game before its end
  /** Whose turn it is at the moment that is shown. */
  readonly toMove: number | null = $derived.by(() => {
    const shown = this.timeline.moverAt(this.projector.at);
    return shown ?? this.table?.to_move ?? null;
  });
  /** What may be played now. */
  readonly legal: readonly Choice[] = $derived.by(() =>
    this.live && this.sending === null ? (this.table?.legal ?? []) : [],
  );

  private follower: Follower | null = null;
  private taking: Promise<void> = Promise.resolve();
  private readonly stopWatching: () => void;
  private closed = false;

  constructor(readonly id: string) {
    this.enter();
    this.stopWatching = $effect.root(() => {
      $effect(() => this.changePlaces());
      $effect(() => this.askAhead());
      $effect(() => this.conclude());
    });
  }

  close(): void {
    this.closed = true;
    this.stopWatching();
    this.follower?.stop();
    this.projector.stop();
  }

  /** The seats held here that somebody here still plays. */
  readonly playing: readonly number[] = $derived.by(() =>
    this.local.filter((seat) => !this.followed?.seats[seat]?.away),
  );
  /** The seat that acts now: the one in front, the one whose turn it is to come there, or any of ours. */
  readonly acting: number | null = $derived.by(() => {
    const { you, front, playing } = this;
    return (
      you ??
      front.curtain ??
      playing.find((seat) => seat === front.side) ??
      playing[0] ??
      this.local[0] ??
      null
    );
  });

  /** The token that acts now. */
  get token(): string | null {
    return (this.acting === null ? null : this.tokenOf[this.acting]) ?? null;
  }

  /** The seats held here, with what they are held by. */
  get held(): { seat: number; token: string }[] {
    return this.local.map((seat) => ({ seat, token: this.tokenOf[seat]! }));
  }

  // ---- Listening

  private enter(): void {
    if (this.closed) return;
    this.follower?.stop();
    this.unseated = false;
    this.tokens = device.tokensAt(this.id);
    this.tokenOf = {};
    this.followed = null;
    this.loaded = false; // by other eyes
    this.front = NOBODY;
    this.follower = new Follower(this.id, this.streamToken, {
      heard: (message) => this.heard(message),
      state: (connected) => this.setConnected(connected),
      refused: () => (this.missing = true),
      unseated: () => this.lose(),
      preparing: (trouble) => (this.preparing = trouble),
      keeps: () => this.tokens.length > 0 && !(this.followed && isOver(this.followed)),
    });
  }

  private setConnected(connected: boolean): void {
    const again = connected && !this.connected;
    this.connected = connected;
    if (again && this.followed?.starting) void this.advance(this.followed); // what failed before
  }

  /** Our token holds no seat here: we look on. */
  private lose(): void {
    for (const token of this.tokens) device.miss(token);
    this.tokens = [];
    this.tokenOf = {};
  }

  /** With several seats on one device the stream is a spectator's: nothing in it is secret. */
  private get streamToken(): string | null {
    return this.tokens.length === 1 ? this.tokens[0]! : null;
  }

  private async heard({ kind, data }: Message): Promise<void> {
    if (kind === "present") this.present = JSON.parse(data).seats;
    else if (kind === "table") await this.take(JSON.parse(data) as TableView);
    else if (kind === "event") {
      const told = JSON.parse(data) as EventMessage;
      if (this.newest === null) throw new Missed("no table yet");
      await this.take(after(this.newest, told), told);
    }
  }

  private unseated = false; // a seat of ours was freed
  private newest: TableView | null = null; // as it was told, also if it is still being taken in

  /** The table has changed. Changes are taken in one after the other: some have to be asked about. */
  private take(table: TableView, told?: EventMessage): Promise<void> {
    this.newest = table;
    const next = () => this.takeIn(table, told);
    this.taking = this.taking.then(next, next);
    return this.taking;
  }

  private async takeIn(table: TableView, told?: EventMessage): Promise<void> {
    const first = this.followed === null;
    if (told) this.note(told);
    if (told?.event.kind === "unrevealed" && this.tokenOf[told.event.seat]) {
      device.miss(this.tokenOf[told.event.seat]!);
      this.unseated = true;
    }
    await this.keepUp(table, told);
    const whole = told === undefined || told.now !== undefined || told.event.kind === "said";
    if (!whole) return; // there is more to come at once
    if (told === undefined || tellsTime(told)) this.receivedAt = Date.now();
    if (this.unseated) return this.enter(); // with those that hold a seat
    if (this.hotSeat) {
      const complete = await this.findSeats(table, told === undefined);
      if (this.closed) return;
      if (!complete) return this.enter(); // with those that hold a seat
    } else if (table.you !== undefined && this.tokens[0]) this.tokenOf = { [table.you]: this.tokens[0] };
    this.followed = table;
    if (this.local.length > 0) this.noteSeats(table); // not of a table that we only watch
    if (table.secret) void noteEnd(this.id); // the result has been told
    void this.advance(table);
    if (told === undefined && table.start === undefined) void this.loadNotices(table.number);
    if (first) this.projector.begin(this.timeline);
    else this.projector.update(this.timeline, this.sending);
  }

  private note({ number, at, event }: EventMessage): void {
    if (event.kind === "said" && !this.said.some((line) => line.number === number)) {
      const { seat, text, phrase } = event;
      const line = { number, at, seat, text, phrase };
      this.said = [...this.said, line];
    }
    if (NOTICED.has(event.kind) && !this.noted.some((notice) => notice.number === number)) {
      const after = event.kind === "undone" ? event.keep : this.timeline.end;
      const { level, resigned, timed_out } = event.kind === "taken-over" ? event : {};
      const { strength } = event.kind === "hinted" ? event : {};
      const name = event.kind === "unrevealed" ? this.followed?.seats[event.seat]?.name : undefined;
      const what = { kind: event.kind, seat: seatIn(event), level, resigned, timed_out, strength, name };
      const notice = { number, at, after, ...what };
      this.noted = [...this.noted, notice];
    }
  }

  /** Note on this device what is known of its seats here. */
  private noteSeats(table: TableView): void {
    device.learn([{ id: this.id, game: table.game, over: isOver(table) }]);
    if (table.start !== undefined) return; // seats may have been drawn
    for (const { seat, token } of this.held) device.noteSeat(token, { seat, since: table.number });
  }

  /** The history up to this table, from what we know if we can. */
  private async keepUp(table: TableView, told?: EventMessage): Promise<void> {
    const { timeline } = this;
    const moves = table.moves ?? [];
    const played = told && playedBy(told.event);
    const same = told === undefined && this.loaded && table.number === this.followed?.number;
    if (table.start === undefined || same) return;
    if (played !== undefined && moves.length === timeline.end + 1 && timeline.agrees(moves) && this.loaded) {
      const { effects = [], facts, event } = told!;
      // What was taken back since comes without effects, and is dropped with what follows.
      this.know(timeline.after({ move: played, effects, facts, seat: seatIn(event) }));
    } else if (this.loaded && told !== undefined && moves.length <= timeline.end && timeline.agrees(moves)) {
      if (moves.length < timeline.end) this.know(timeline.upTo(moves.length));
    } else {
      const since = this.followed?.position_since;
      const same = this.loaded && table.position_since === since && moves.length === timeline.end;
      await this.load(same && timeline.agrees(moves));
    }
  }

  private loaded = false; // the history is known from its start on

  /** Load the history; the steps stay as they are if the table says that nothing was played. */
  private async load(same: boolean): Promise<void> {
    const history = await getHistory(this.id, this.streamToken);
    if (!same) this.know(Timeline.of(history));
    this.said = history.said;
    this.noted = history.notices;
    this.loaded = true;
  }

  private know(timeline: Timeline): void {
    this.timeline = timeline;
    this.sending = null; // it has happened, or something else has
    this.trying = false;
  }

  private noticesUpTo = 1; // before the second event no seat can have been freed

  /** Before the game: what happened while this page was not there. */
  private async loadNotices(number: number): Promise<void> {
    if (number <= this.noticesUpTo) return;
    const before = this.noticesUpTo;
    this.noticesUpTo = number;
    try {
      const history = await getHistory(this.id, this.streamToken);
      if (this.loaded || this.closed) return; // the game has begun meanwhile
      const isNewer = (each: { number: number }) => each.number > history.number;
      this.said = [...history.said, ...this.said.filter(isNewer)];
      this.noted = [...history.notices, ...this.noted.filter(isNewer)];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.noticesUpTo = before; // the next table tries again
    }
  }

  private advances = 0;

  /** Commit to nonces and reveal them, as far as it is our turn to. */
  private async advance(table: TableView): Promise<void> {
    const turn = ++this.advances;
    const refusal = table.starting ? await advanceStart(this.id, table) : null;
    if (turn === this.advances) this.startRefusal = refusal; // else a newer table decides
  }

  // ---- One device, several seats

  /** Which seats are ours; whether all tokens hold one: of those that do not, nothing more is asked. */
  private async findSeats(table: TableView, whole: boolean): Promise<boolean> {
    const begun = table.start !== undefined;
    const drawn = begun && this.followed?.start === undefined;
    const missed = whole && !begun && table.number !== this.followed?.number; // one may have been freed
    if (!drawn && !missed && this.local.length === this.tokens.length) return true;
    const seats: Record<number, string> = {};
    for (const token of this.tokens) {
      const [held] = await getMyTables([token]); // whose seat it is, and nothing that its owner only may see
      if (held?.id === this.id) seats[held.you] = token;
      else device.miss(token);
    }
    this.tokenOf = seats;
    return this.local.length === this.tokens.length;
  }

  private changePlaces(): void {
    const { followed, local, hotSeat } = this;
    if (!followed || !hotSeat || local.length === 0) return;
    const front = inFront(this.front, {
      shown: this.live && this.projector.following,
      toMove: followed.to_move ?? null,
      local,
      secrets: followed.secrets ?? false,
    });
    if (front !== this.front) this.front = front;
    if (front.seat !== null && followed.to_move === front.seat) void this.look(front.seat, followed);
  }

  /** The person the curtain asks for has the device now. */
  lift(): void {
    this.front = lifted(this.front);
  }

  private looking = "";

  /** What a seat may see, so that it can move. */
  private async look(seat: number, { position_since, seats }: TableView): Promise<void> {
    const what = `${seat} ${position_since} ${seats[seat]?.level}`; // a bot may stand in
    if (this.looking === what) return;
    this.looking = what;
    try {
      const seen = await getTable(this.id, this.tokenOf[seat]!);
      if (this.looking === what) this.seen = seen;
    } catch {
      await sleep(1000);
      if (this.looking === what && !this.closed) {
        this.looking = "";
        this.changePlaces();
      }
    }
  }

  // ---- Looking

  /** Boards may have something to show at the end, as goals that are turned over, before anybody has won. */
  private conclude(): (() => void) | undefined {
    if (this.followed && this.followed.result === undefined) {
      this.watched = true;
      this.concluded = false;
    } else if (this.over && !this.concluded) {
      const reveal = reducedMotion() ? 0 : (pacingOf(this.followed!.game).reveal ?? 0);
      const timer = setTimeout(() => (this.concluded = true), this.watched ? Math.max(SEEN, reveal) : 0);
      return () => clearTimeout(timer);
    }
  }

  /** See the board from the next seat's side. */
  turnBoard(): void {
    this.turned++;
  }

  /** Where what happened since our own last move begins. */
  private readonly since: number = $derived.by(() =>
    this.timeline.sinceAt(this.timeline.end, this.you === null ? this.local : [this.you]),
  );
  readonly canShowAgain: boolean = $derived.by(() => this.live && this.timeline.end > 0);

  /** Show once more what happened since our own last move. */
  showAgain(): void {
    this.projector.showAgain(this.since);
  }

  // ---- Why not

  /** Why a move cannot be played: null while the reasons are not loaded, undefined if none is known for it. */
  refusal(move: string): Why | null | undefined {
    if (!this.refusals || this.table?.position_since !== this.refusals.since) return null;
    return this.refusals.why.get(move);
  }

  /** What a tap may be refused for is asked before the tap. */
  private askAhead(): void {
    const { table, token } = this;
    const since = table?.position_since ?? 0;
    if (!table?.legal || !token || this.refusals?.since === since) return;
    void request("GET /tables/{table}/refusals", { path: { table: this.id }, token }).then(
      ({ refusals }) => {
        const why = new Map(refusals.flatMap((each) => each.moves.map((move) => [move, each] as const)));
        this.refusals = { since, why };
      },
      () => {}, // then it is said in general
    );
  }

  // ---- Acting

  async sit(seat: number, name: string): Promise<void> {
    if (this.table) commitments.set(this.id, this.table.commitment);
    await sitDown(this.id, seat, name);
    this.enter();
  }

  async move(move: string): Promise<void> {
    const { token, table } = this;
    const chosen = this.legal.find((seen) => seen.move === move);
    if (token === null || table === null || !chosen) return;
    const step: StepView = { ...chosen, seat: this.you ?? undefined };
    const at = this.timeline.end;
    this.sending = step;
    this.projector.update(this.timeline, step);
    try {
      await postAction(
        this.id,
        "move",
        token,
        { move, number: table.number },
        { onRetry: () => (this.trying = this.sending === step) },
      );
      setTimeout(() => this.sending === step && this.follower?.renew(), TOLD);
    } catch (error) {
      if (this.timeline.steps[at]?.move === move) return; // it has happened: only the answer was lost
      if (this.sending === step) {
        this.sending = null;
        this.projector.update(this.timeline);
      }
      throw error;
    } finally {
      if (this.sending === step || this.sending === null) this.trying = false;
    }
  }

  async do<A extends Action>(action: A, ...args: ActionArguments<A>): Promise<void> {
    if (this.token) await postAction(this.id, action, this.token, ...args);
  }

  /** Come back to the seats that were left. */
  async reclaim(): Promise<void> {
    for (const { seat, token } of this.held) {
      if (this.followed?.seats[seat]?.away) await postAction(this.id, "reclaim", token);
    }
  }

  /** Take back the last move made here. Who shares a device has agreed by word of mouth. */
  async undo(): Promise<void> {
    const { playing, acting } = this;
    const mover = this.timeline.steps.findLast(({ seat }) => seat !== undefined && playing.includes(seat));
    const seat = mover?.seat ?? acting;
    if (seat === null) return;
    await postAction(this.id, "undo", this.tokenOf[seat]!);
    await this.eachBut(["no-undo-asked"], (token) => this.grantUndo(token), seat);
  }

  async answerUndo(granted: boolean): Promise<void> {
    const asked = this.followed?.undo?.seat;
    if (granted) await this.eachBut(["no-undo-asked"], (token) => this.grantUndo(token), asked);
    else await this.do("undo/answer", { granted });
  }

  private grantUndo(token: string): Promise<unknown> {
    return postAction(this.id, "undo/answer", token, { granted: true });
  }

  /** For every seat that is played here; what makes it needless for the others is no trouble. */
  private async eachBut(
    needless: readonly string[],
    action: (token: string) => Promise<unknown>,
    but?: number,
  ): Promise<void> {
    for (const seat of this.playing) {
      if (seat === but) continue;
      try {
        await action(this.tokenOf[seat]!);
      } catch (error) {
        if (!(error instanceof ApiError) || !needless.includes(error.code)) throw error;
      }
    }
  }

  /** Sit down at the table where the game goes on, with everybody of this device; its id. */
  async rematch(): Promise<string> {
    let next = "";
    for (const { token } of this.held) {
      // What is promised of the next table's luck is asked for before we add our own part to it.
      const asked = await postAction(this.id, "rematch", token, {});
      const { id, seat, table } = asked;
      next = id;
      const chosen = { seat, since: table.number };
      if (asked.token)
        device.hold(id, asked.token, table.game, device.nextOf(token), chosen); // we sit there already
      else {
        const luck = { promise: table.commitment, nonce: newNonce() };
        device.noteNext(token, luck); // first: the answer may be lost
        const commitment = fingerprint(luck.nonce);
        const seated = await postAction(this.id, "rematch", token, { commitment });
        device.hold(id, seated.token, table.game, luck, { seat, since: seated.table.number });
        await advanceStartBriefly(id, seated.table);
      }
    }
    return next;
  }

  async declineRematch(): Promise<void> {
    for (const { token } of this.held) await postAction(this.id, "rematch/decline", token);
  }

  /** Leave with everybody of this device. */
  async leave(): Promise<void> {
    const begun = this.followed?.start !== undefined;
    const tokens = this.held.map(({ token }) => token);
    await this.eachBut(["over"], (token) => postAction(this.id, "leave", token)); // the first who leaves may end it
    if (!begun) for (const token of tokens) device.letGo(token);
  }

  /** Give a free seat to a bot. */
  async seatBot(seat: number, level: number): Promise<void> {
    const { id: table, token } = this;
    if (!token) return;
    const asked = { path: { table, seat }, body: { level }, token, key: randomHex() };
    await request("POST /tables/{table}/seats/{seat}/bot", asked);
  }
}
