// Shows a game move by move, effect by effect, at a pace that people can follow. What a page tells of a
// table (whose turn it is, the result, who sits in front) follows what has been shown here.

import type { Pacing } from "./contract.ts";
import { follow } from "./drawing.ts";
import type { Drawing, Effect, Facts, StepView } from "$core/http/types.ts";
import { Timeline } from "./timeline.ts";

// Times of a normal pace.
const STEP = 220; // ms an effect is shown for
const LASTING = 900; // of what is to be taken in
const QUICK = 60; // of several that are one gesture, but for the last
const BETWEEN = 350; // ms between one move and the next
// How much longer these are at each pace; and how many moves are shown one by one: if there are more we jump.
// Bots soon get ahead of what is shown slowly.
const PACES = {
  slow: { factor: 2, most: 20 },
  normal: { factor: 1, most: 6 },
  fast: { factor: 0.45, most: 6 },
};

/** What time is measured by; tests have one they can turn. */
export interface Pace {
  wait(ms: number): Promise<void>;
  hurries(): boolean; // whether moves are to be there at once: nobody looks, or motion is unwelcome
}

export class Projector {
  at = $state(0); // the moment that is shown, or from which a step is being shown
  drawing = $state.raw<Drawing>({});
  effect = $state.raw<Effect | null>(null); // of the step that is being shown
  marks = $state.raw<ReadonlySet<string>>(new Set());
  following = $state(true); // moves are shown as they come; not while somebody looks back
  private timeline = $state.raw(Timeline.EMPTY);
  private sent = $state.raw<StepView | null>(null); // our own move, shown while it is on its way
  private stepping = $state(false); // a step is being shown

  readonly facts: Facts = $derived.by(() => this.timeline.factsAt(this.at));
  /** Whether everything that has happened has been shown. */
  readonly live: boolean = $derived.by(
    () => this.at === this.timeline.end && !this.stepping && this.sent === null,
  );
  /** How many steps are to be seen in the list of them: what is still to be shown is not given away. */
  readonly listed: number = $derived.by(() =>
    this.following ? this.at + (this.stepping && this.at < this.timeline.end ? 1 : 0) : this.timeline.end,
  );
  /** Another one for every moment that is shown; the same while nothing but effects change. */
  readonly moment: string = $derived.by(() => `${this.at}${this.stepping ? "+" : ""}`);

  private running = false;
  private repeating = false; // on request: neither too much nor too much motion
  private skipping = false;
  private wake: () => void = () => {};

  constructor(
    private readonly pace: Pace,
    private readonly pacing: () => Pacing = () => ({}),
    private readonly own: () => readonly number[] = () => [], // seats: what happened since their move is marked
  ) {}

  /** What is known now, and a move of ours that is on its way. */
  update(timeline: Timeline, sent: StepView | null = null): void {
    const shown = this.timeline.steps.slice(0, this.at).map(({ move }) => move);
    const withdrawn = this.sent !== null && sent === null && this.at === timeline.end;
    this.timeline = timeline;
    this.sent = sent;
    if (this.at > timeline.end || !timeline.agrees(shown)) this.jump(timeline.end);
    // The game may just have begun; or our move was refused, and why is said of the moment that is shown now.
    else if (!this.stepping || withdrawn) this.jump(this.at);
    if (this.at === timeline.end) this.following = true; // what came after it was taken back
    this.wake();
    void this.run();
  }

  /** Begin with the present; nothing of what led to it is shown. */
  begin(timeline: Timeline): void {
    this.timeline = timeline;
    this.jump(timeline.end);
  }

  /** Look at an earlier moment, or at the present one again. */
  lookAt(at: number): void {
    const moment = Math.max(0, Math.min(at, this.timeline.end));
    this.following = moment === this.timeline.end;
    this.jump(moment);
    this.wake();
    void this.run();
  }

  /** Show once more what has happened since a moment, however much it is. */
  showAgain(from: number): void {
    this.following = true;
    this.repeating = true;
    this.jump(Math.max(0, Math.min(from, this.timeline.end)));
    this.wake();
    void this.run();
  }

  /** Show the end of what is being shown, at once. */
  skip(): void {
    if (!this.running) return;
    this.skipping = true;
    this.wake();
  }

  stop(): void {
    this.following = false;
    this.wake();
  }

  /** The next step to be shown: one that has happened, or our own. */
  private get next(): StepView | null {
    return this.timeline.steps[this.at] ?? this.sent;
  }

  private async run(): Promise<void> {
    if (this.running) return;
    this.running = true;
    try {
      while (this.following && this.next) {
        const behind = this.timeline.end - this.at;
        const hurry = this.skipping || (!this.repeating && (this.pace.hurries() || behind > this.speed.most));
        if (hurry && behind > 0) this.jump(this.timeline.end);
        else await this.show(this.next, hurry);
      }
    } finally {
      this.running = this.skipping = this.repeating = false;
    }
  }

  private async show(step: StepView, hurry: boolean): Promise<void> {
    const from = this.at;
    // It may be taken back, refused or overtaken, or somebody looks elsewhere.
    const goesOn = () => this.following && this.at === from && this.next?.move === step.move;
    this.stepping = true;
    this.marks = new Set();
    let drawing = this.drawing;
    for (const [index, effect] of step.effects.entries()) {
      this.drawing = drawing = follow(drawing, effect);
      this.effect = effect;
      if (!hurry) await this.rest(this.timeFor(effect, step.effects[index + 1]), goesOn);
      if (!goesOn()) break;
    }
    while (goesOn() && from === this.timeline.end) await this.woken(); // until it is stored
    if (this.at !== from) return; // somebody has jumped, who drew it anew
    if (!goesOn()) return this.jump(from);
    this.jump(from + 1);
    if (this.at < this.timeline.end) await this.rest(BETWEEN, () => this.following && this.at === from + 1);
  }

  private jump(at: number): void {
    this.at = at;
    this.effect = null;
    this.stepping = false;
    this.drawing = this.timeline.drawingAt(at);
    this.marks = this.timeline.marksAt(at, this.own());
  }

  private woken(): Promise<void> {
    return new Promise((done) => (this.wake = done));
  }

  /** Some time, unless what is shown ends before. */
  private async rest(ms: number, goesOn: () => boolean): Promise<void> {
    if (ms === 0) return;
    const over = this.pace.wait(ms * this.speed.factor).then(() => true);
    while (!this.skipping && goesOn() && !(await Promise.race([over, this.woken()])));
  }

  private get speed() {
    return PACES[this.pacing().pace ?? "normal"];
  }

  private timeFor([kind]: Effect, next?: Effect): number {
    const { gestures, silent, lasting } = this.pacing();
    if (silent?.includes(kind)) return 0;
    if (lasting?.includes(kind)) return LASTING;
    return next?.[0] === kind && gestures?.includes(kind) ? QUICK : STEP;
  }
}
