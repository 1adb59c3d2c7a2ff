// A table as this page knows it: what the house last said, and how far its moves have been shown.

import { act, ask, draw, historyOf, mine, see, sleep, Trouble } from "../lib/api.ts";
import { device } from "../lib/device.svelte.ts";
import { follow, followAll, touched } from "../lib/drawing.ts";
import { after, Missed, tellsTime } from "../lib/news.ts";
import { Follower, type Message } from "../lib/stream.ts";
import type { Drawing, Effect, Line, Seated, StepView, Table, Told } from "../lib/types.ts";

const STEP = 220; // ms an effect is shown for
const QUICK = 60; // of several that are one gesture: a column is taken up in one go
const BETWEEN = 350; // ms between one move and the next
const MOST_BEHIND = 6; // moves to be shown one by one; if there are more we jump

export class Playing {
  table = $state.raw<Table | null>(null);
  steps = $state.raw<StepView[]>([]);
  said = $state.raw<Line[]>([]);
  present = $state.raw<number[]>([]);
  connected = $state(false);
  refused = $state.raw<Trouble | null>(null); // there is no such table, or no seat for our token
  preparing = $state.raw<Trouble | null>(null); // what is played here cannot be played yet
  receivedAt = $state(0); // by our clock, when the time that is left was told

  shown = $state.raw<Drawing>({}); // what the board shows: of `at` moves, or in the middle of one
  at = $state(0);
  effect = $state.raw<Effect | null>(null);
  marks = $state.raw<Set<string>>(new Set());
  sending = $state(false);
  curtain = $state<number | null>(null); // the seat that is asked to take the device

  private tokens = $state.raw<string[]>([]);
  private tokenOf = $state.raw<Record<number, string>>({});
  readonly local: number[] = $derived.by(() => Object.keys(this.tokenOf).map(Number));
  readonly live = $derived(this.at === this.steps.length && this.effect === null);
  readonly hotSeat: boolean = $derived(this.tokens.length > 1);
  /** The seat whose eyes we look through. */
  readonly you: number | null = $derived(this.table?.you ?? null);
  readonly bottom: number = $derived(this.you ?? this.local[0] ?? 0);
  readonly over: boolean = $derived(this.table?.result !== undefined);

  private start: Drawing | null = null; // not asked for yet
  private follower: Follower | null = null;
  private followed: Table | null = null; // as the stream tells it; in hot-seat a spectator's
  private showing = false;
  private following = true; // show moves as they come; not while somebody looks back
  private skipping = false;
  private sent: StepView | null = null; // our own move, shown while it is on its way
  private taking: Promise<void> = Promise.resolve();

  constructor(readonly id: string) {
    this.enter();
  }

  close(): void {
    this.follower?.stop();
    this.following = false;
  }

  /** The token that acts now: ours, or in hot-seat that of the seat in front. */
  get token(): string | null {
    return this.you === null ? null : (this.tokenOf[this.you] ?? null);
  }

  // ---- Listening

  private enter(): void {
    this.follower?.stop();
    this.tokens = device.tokensAt(this.id);
    this.tokenOf = {};
    this.followed = null;
    // With several seats on one device the stream is a spectator's: nothing in it is secret.
    const token = this.hotSeat ? null : (this.tokens[0] ?? null);
    this.follower = new Follower(
      `/tables/${this.id}`,
      token,
      (message) => this.heard(message),
      (connected) => (this.connected = connected),
      (trouble) => this.turnedAway(trouble),
      (trouble) => (this.preparing = trouble),
    );
  }

  private turnedAway(trouble: Trouble): void {
    if (trouble.status === 401 && this.tokens.length > 0) {
      for (const token of this.tokens) device.letGo(token); // the seat was given up elsewhere
      this.enter();
    } else this.refused = trouble;
  }

  private async heard(message: Message): Promise<void> {
    if (message.kind === "present") this.present = JSON.parse(message.data).seats;
    else if (message.kind === "table") {
      this.followed = JSON.parse(message.data) as Table;
      await this.take(this.followed);
    } else if (message.kind === "event") {
      const told = JSON.parse(message.data) as Told;
      if (this.followed === null) throw new Missed("no table yet");
      this.followed = after(this.followed, told);
      if (told.event.kind === "said") this.hear(told);
      await this.take(this.followed, told);
    }
  }

  private hear({ number, at, event }: Told): void {
    if (this.said.some((line) => line.number === number)) return;
    this.said = [...this.said, { number, at, seat: event.seat ?? 0, text: event.text, phrase: event.phrase }];
  }

  /** The table has changed. Changes are taken one after the other: some have to be asked about. */
  private take(table: Table, told?: Told): Promise<void> {
    const next = () => this.takeNext(table, told);
    this.taking = this.taking.then(next, next);
    return this.taking;
  }

  private async takeNext(table: Table, told?: Told): Promise<void> {
    const first = this.table === null;
    const missed = !first && told === undefined && table.number > this.table!.number;
    if (missed) await this.reload();
    else await this.keepUp(table, told);
    const whole = told === undefined || told.now !== undefined || told.event.kind === "said";
    if (!whole) return; // there is more to come at once
    if (this.table && table.number < this.table.number) return;
    if (told === undefined || tellsTime(told)) this.receivedAt = Date.now();
    if (this.hotSeat) await this.takeTurns(table);
    else {
      if (table.you !== undefined && this.tokens[0]) this.tokenOf = { [table.you]: this.tokens[0] };
      this.table = table;
    }
    if (first) this.jump(this.steps.length);
    void this.show();
  }

  /** The history up to this table, from what we know if we can. */
  private async keepUp(table: Table, told?: Told): Promise<void> {
    const moves = table.moves ?? [];
    const known = this.steps.length;
    const played = told && (told.event.move ?? told.event.throw);
    if (played && moves.length === known + 1 && this.start && this.agrees(moves)) {
      // What was taken back since comes without effects, and is dropped with what follows.
      this.know([...this.steps, { move: played, effects: told.effects ?? [], seat: told.event.seat }]);
    } else if (moves.length <= known && known > 0 && this.agrees(moves)) {
      if (moves.length < known) {
        this.know(this.steps.slice(0, moves.length));
        if (this.at > moves.length) this.jump(moves.length);
      }
    } else if (table.start !== undefined) await this.reload();
  }

  private know(steps: StepView[]): void {
    this.steps = steps;
    this.sent = null; // it has happened, or something else has
  }

  private agrees(moves: string[]): boolean {
    return this.steps.every((step, at) => at >= moves.length || step.move === moves[at]);
  }

  private async reload(): Promise<void> {
    const token = this.hotSeat ? null : (this.tokens[0] ?? null);
    const history = await historyOf(this.id, token);
    const fresh = this.steps.length === 0;
    this.start = history.start;
    this.know(history.steps);
    this.said = history.said;
    if (fresh || this.at > history.steps.length) this.jump(fresh ? 0 : history.steps.length);
  }

  // ---- One device, several seats

  private async takeTurns(table: Table): Promise<void> {
    const drawn = table.start !== undefined && this.table?.start === undefined;
    if (drawn || this.local.length < this.tokens.length) await this.findSeats();
    const turn = table.to_move;
    const secret = table.view?.includes("?") ?? false;
    if (turn === undefined || !(turn in this.tokenOf)) {
      this.curtain = null;
      this.table = table;
    } else if (secret) {
      if (this.table?.you === turn && this.table.number >= table.number) return;
      if (this.table?.you === turn && this.curtain === null) this.table = await see(this.id, this.tokenOf[turn]!);
      else {
        this.table = table; // a spectator's: behind the curtain there is no secret
        this.curtain = turn;
      }
    } else this.table = await see(this.id, this.tokenOf[turn]!);
  }

  private async findSeats(): Promise<void> {
    const seats: Record<number, string> = {};
    for (const token of this.tokens) {
      const [held] = await mine([token]); // whose seat it is, and nothing that its owner only may see
      if (held?.id === this.id) seats[held.you] = token;
      else device.letGo(token); // of a bad link, or a seat that was given up elsewhere
    }
    if (device.tokensAt(this.id).length === this.tokens.length) this.tokenOf = seats;
    else this.enter();
  }

  /** The person the curtain asks for has the device now. */
  async lift(): Promise<void> {
    if (this.curtain === null) return;
    this.table = await see(this.id, this.tokenOf[this.curtain]!);
    this.curtain = null;
  }

  // ---- Showing moves

  /** The next move to be shown: one that has happened, or our own on its way. */
  private get next(): StepView | null {
    return this.steps[this.at] ?? this.sent;
  }

  /** Show what has happened since, move by move. */
  private async show(): Promise<void> {
    if (this.showing || !this.following) return;
    this.showing = true;
    try {
      while (this.following && this.next) {
        const behind = this.steps.length - this.at;
        const atOnce = behind > MOST_BEHIND || document.hidden || calm() || this.skipping;
        if (atOnce && behind > 0) this.jump(this.steps.length);
        else await this.showNext(this.next, atOnce);
      }
    } finally {
      this.showing = false;
      this.skipping = false;
    }
  }

  private async showNext(step: StepView, atOnce: boolean): Promise<void> {
    // It may be taken back or refused, or we look elsewhere.
    const goesOn = () => this.following && this.next?.move === step.move;
    let drawing = this.shown;
    this.marks = new Set();
    for (const [at, effect] of step.effects.entries()) {
      drawing = follow(drawing, effect);
      this.shown = drawing;
      this.effect = effect;
      if (!atOnce) await this.rest(timeFor(effect, step.effects[at + 1]));
      if (!goesOn()) break;
    }
    while (goesOn() && this.at === this.steps.length) await sleep(15); // until the house has it
    this.jump(goesOn() ? this.at + 1 : this.at);
    if (this.at < this.steps.length) await this.rest(BETWEEN);
  }

  private async rest(ms: number): Promise<void> {
    for (const end = Date.now() + ms; Date.now() < end && !this.skipping; ) await sleep(15);
  }

  /** Show the end of what is being shown, at once. */
  skip(): void {
    if (this.showing) this.skipping = true;
  }

  private jump(at: number): void {
    this.at = at;
    this.effect = null;
    let drawing = this.start ?? {};
    for (const step of this.steps.slice(0, at)) drawing = followAll(drawing, step.effects);
    const moves = this.table?.moves;
    const now = at === moves?.length && this.agrees(moves); // a seat may see more than the history tells
    this.shown = (now && this.table?.drawing) || drawing;
    this.marks = at > 0 ? touched(this.steps[at - 1]!.effects) : new Set();
  }

  /** Look at an earlier moment, or at the present one again. */
  lookAt(at: number): void {
    const moment = Math.max(0, Math.min(at, this.steps.length));
    this.following = moment === this.steps.length;
    this.skipping = true;
    this.jump(moment);
    queueMicrotask(() => (this.skipping = this.showing));
  }

  // ---- Acting

  async sit(seat: number, name: string): Promise<void> {
    const seated = await ask<Seated>(`/tables/${this.id}/seats/${seat}`, {
      method: "POST",
      body: { name, nonce: draw(8) },
      key: draw(),
    });
    device.hold(this.id, seated.token, seated.table.game);
    this.enter();
  }

  async move(move: string): Promise<void> {
    if (this.token === null || this.table === null) return;
    this.sending = true;
    this.sent = this.table.legal?.find((seen) => seen.move === move) ?? null;
    void this.show();
    try {
      await act(this.id, "move", this.token, { move, number: this.table.number });
    } catch (error) {
      this.sent = null;
      throw error;
    } finally {
      this.sending = false;
    }
  }

  async do(deed: string, body?: unknown, token = this.token ?? Object.values(this.tokenOf)[0]): Promise<void> {
    if (token) await act(this.id, deed, token, body);
  }

  async rematch(): Promise<string> {
    const token = this.token ?? Object.values(this.tokenOf)[0];
    return (await ask<{ id: string }>(`/tables/${this.id}/rematch`, { method: "POST", token: token ?? null })).id;
  }

  async leave(): Promise<void> {
    for (const token of this.tokens) {
      await act(this.id, "leave", token);
      if (this.table?.start === undefined) device.letGo(token);
    }
    this.enter();
  }
}

/** How long an effect is shown for. Dice are used and gathered with what comes next. */
function timeFor([kind]: Effect, next?: Effect): number {
  if (kind === "use" || kind === "gather") return 0;
  return kind === "lift" && next?.[0] === "lift" ? QUICK : STEP;
}

/** Whether motion is unwelcome. */
export function calm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
