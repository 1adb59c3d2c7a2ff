// What people at this device do at a table: moves, which are shown before they are stored, and other actions.

import { ApiError, postAction, randomHex, request, type ActionArguments } from "$core/http/api.ts";
import type { Action } from "$core/http/routes.ts";
import type { Choice, StepView, Why } from "$core/http/types.ts";
import { fingerprint } from "$core/crypto/sha256.ts";
import { device } from "$core/device/device.svelte.ts";
import { commitments } from "$core/tables/commitments.ts";
import { sitDown } from "$core/tables/seats.ts";
import { advanceStartBriefly, newNonce } from "$core/tables/starting.ts";
import type { Timeline } from "$engine/timeline.ts";
import type { Session } from "./session.svelte.ts";

const STREAM_PATIENCE = 3_000; // ms after which a stored move should have come by the stream

/** A move that was sent. With another timeline it has happened, or something else has. */
interface PendingMove {
  step: StepView;
  timeline: Timeline; // when it was sent
  isRetrying: boolean; // sending it has failed, and is tried again
}

export class TableActions {
  private pending = $state.raw<PendingMove | null>(null);
  private refusals = $state.raw<{ since: number; byMove: ReadonlyMap<string, Why> } | null>(null);

  private readonly current: PendingMove | null = $derived.by(() =>
    this.pending?.timeline === this.session.feed.timeline ? this.pending : null,
  );
  /** Our own move, until it is stored or refused. */
  readonly sending: StepView | null = $derived.by(() => this.current?.step ?? null);
  readonly isRetrying: boolean = $derived.by(() => this.current?.isRetrying ?? false);
  /** What may be played now. */
  readonly legal: readonly Choice[] = $derived.by(() =>
    this.session.live && this.sending === null ? (this.session.table?.legal ?? []) : [],
  );

  constructor(private readonly session: Session) {}

  /** Send a move, and show it at once. */
  async move(move: string): Promise<void> {
    const { feed, playback, seats, table, id } = this.session;
    const chosen = this.legal.find((choice) => choice.move === move);
    if (seats.token === null || table === null || !chosen) return;
    const step: StepView = { ...chosen, seat: seats.you ?? undefined };
    const { timeline } = feed;
    const setRetrying = (isRetrying: boolean) => {
      if (this.pending?.step === step) this.pending = { step, timeline, isRetrying };
    };
    this.pending = { step, timeline, isRetrying: false };
    playback.update(timeline, step);
    try {
      const body = { move, number: table.number };
      await postAction(id, "move", seats.token, body, { onRetry: () => setRetrying(true) });
      setTimeout(() => this.sending === step && feed.reconnect(), STREAM_PATIENCE);
    } catch (error) {
      if (feed.timeline.steps[timeline.end]?.move === move) return; // it has happened: only the answer was lost
      if (this.sending === step) {
        this.pending = null;
        playback.update(feed.timeline);
      }
      throw error;
    } finally {
      setRetrying(false);
    }
  }

  // ---- Refusals

  /** Why a move cannot be played: null while the reasons are not loaded, undefined if none is known for it. */
  refusal(move: string): Why | null | undefined {
    if (!this.refusals || this.session.table?.position_since !== this.refusals.since) return null;
    return this.refusals.byMove.get(move);
  }

  /** An effect: the reasons are loaded before anybody taps what cannot be played. */
  prefetchRefusals(): void {
    const { table, seats, id } = this.session;
    const { token } = seats;
    const since = table?.position_since ?? 0;
    if (!table?.legal || !token || this.refusals?.since === since) return;
    void request("GET /tables/{table}/refusals", { path: { table: id }, token }).then(
      ({ refusals }) => {
        const byMove = new Map(refusals.flatMap((each) => each.moves.map((move) => [move, each] as const)));
        this.refusals = { since, byMove };
      },
      () => {}, // then a general message is shown
    );
  }

  // ---- Other actions

  /** For the seat that acts now. */
  async post<A extends Action>(action: A, ...args: ActionArguments<A>): Promise<void> {
    const { seats, id } = this.session;
    if (seats.token) await postAction(id, action, seats.token, ...args);
  }

  async sit(seat: number, name: string): Promise<void> {
    const { table, id } = this.session;
    if (table) commitments.set(id, table.commitment);
    await sitDown(id, seat, name);
    this.session.connect();
  }

  /** Give a free seat to a bot. */
  async seatBot(seat: number, level: number): Promise<void> {
    const { id: table, seats } = this.session;
    if (!seats.token) return;
    const options = { path: { table, seat }, body: { level }, token: seats.token, key: randomHex() };
    await request("POST /tables/{table}/seats/{seat}/bot", options);
  }

  /** Come back to the seats that were left. */
  async reclaim(): Promise<void> {
    const { feed, seats, id } = this.session;
    for (const { seat, token } of seats.held) {
      if (feed.table?.seats[seat]?.away) await postAction(id, "reclaim", token);
    }
  }

  /** Take back the last move made here. People who share a device agree by word of mouth. */
  async undo(): Promise<void> {
    const { feed, seats, id } = this.session;
    const isOurs = ({ seat }: StepView) => seat !== undefined && seats.playing.includes(seat);
    const seat = feed.timeline.steps.findLast(isOurs)?.seat ?? seats.acting;
    if (seat === null) return;
    await postAction(id, "undo", seats.tokenOf(seat));
    await this.grantUndo(seat);
  }

  async answerUndo(granted: boolean): Promise<void> {
    if (granted) await this.grantUndo(this.session.feed.table?.undo?.seat);
    else await this.post("undo/answer", { granted });
  }

  /** For every seat that is played here but the one that asks. */
  private grantUndo(except?: number): Promise<void> {
    const grant = (token: string) => postAction(this.session.id, "undo/answer", token, { granted: true });
    return this.forEachPlaying(grant, { ignoredError: "no-undo-asked", except }); // one answer may be enough
  }

  /** Leave with all seats of this device. */
  async leave(): Promise<void> {
    const { feed, seats, id } = this.session;
    const hasBegun = feed.table?.start !== undefined;
    const tokens = seats.held.map(({ token }) => token);
    const leave = (token: string) => postAction(id, "leave", token);
    await this.forEachPlaying(leave, { ignoredError: "over" }); // the first who leaves may end the game
    if (!hasBegun) for (const token of tokens) device.letGo(token);
  }

  private async forEachPlaying(
    action: (token: string) => Promise<unknown>,
    { ignoredError, except }: { ignoredError: string; except?: number },
  ): Promise<void> {
    const { seats } = this.session;
    for (const seat of seats.playing) {
      if (seat === except) continue;
      try {
        await action(seats.tokenOf(seat));
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== ignoredError) throw error;
      }
    }
  }

  /** Sit down at the table where the game goes on, with all seats of this device; its id. */
  async rematch(): Promise<string> {
    let next = "";
    for (const { token } of this.session.seats.held) {
      // The next table's commitment is requested before we add our own part to its luck.
      const offered = await postAction(this.session.id, "rematch", token, {});
      const { id, seat, table } = offered;
      next = id;
      if (offered.token) {
        // We sit there already.
        device.hold(id, offered.token, table.game, device.nextOf(token), { seat, since: table.number });
      } else {
        const luck = { promise: table.commitment, nonce: newNonce() };
        device.noteNext(token, luck); // first: the answer may be lost
        const commitment = fingerprint(luck.nonce);
        const seated = await postAction(this.session.id, "rematch", token, { commitment });
        device.hold(id, seated.token, table.game, luck, { seat, since: seated.table.number });
        await advanceStartBriefly(id, seated.table);
      }
    }
    return next;
  }

  async declineRematch(): Promise<void> {
    const { seats, id } = this.session;
    for (const { token } of seats.held) await postAction(id, "rematch/decline", token);
  }
}
