// Shows a game step by step, effect by effect, at a pace that people can follow. What a page says of a table (whose
// turn it is, the result, the active seat) waits for what is shown here.

import { Signal } from "$core/async/signal.ts";
import type { Drawing, Effect, Facts, StepView } from "$core/http/types.ts";
import type { Pacing } from "./contract.ts";
import { applyEffect } from "./drawing.ts";
import { Timeline } from "./timeline.ts";

// Durations at normal pace, in ms.
const EFFECT = 220;
const LASTING_EFFECT = 900; // there is something to be taken in
const GESTURE_EFFECT = 60; // one of several that are one gesture, but for the last
const BETWEEN_STEPS = 350;
// How much longer these are at each pace, and the most steps that are shown one by one: more are skipped. The limit of a
// slow pace is higher, as bots soon get ahead of it.
const PACES = {
  slow: { factor: 2, most: 20 },
  normal: { factor: 1, most: 6 },
  fast: { factor: 0.45, most: 6 },
};

/** The clock; tests have their own. */
export interface PlaybackClock {
  wait(ms: number): Promise<void>;
  skipsAnimation(): boolean; // the page is hidden, or motion is unwelcome
}

/** What is being done. A step is null between two of them. `skip`: what is left is shown at once. */
type Activity =
  | { kind: "idle" }
  | { kind: "stepping"; step: StepView | null; skip: boolean } // new steps
  | { kind: "awaitingServer"; step: StepView; skip: boolean } // our own move is shown, and not stored yet
  | { kind: "replaying"; step: StepView | null; skip: boolean }; // on request: never too many, or too much motion

export class Playback {
  at = $state(0); // the moment that is shown, or from which a step is being shown
  drawing = $state.raw<Drawing>({});
  effect = $state.raw<Effect | null>(null); // of the step that is being shown
  marks = $state.raw<ReadonlySet<string>>(new Set());
  isFollowing = $state(true); // new steps are shown; not while somebody looks back
  private timeline = $state.raw(Timeline.EMPTY);
  private sending = $state.raw<StepView | null>(null); // our own move, until it is stored
  private activity = $state.raw<Activity>({ kind: "idle" });

  private readonly isStepping: boolean = $derived.by(
    () => this.activity.kind !== "idle" && this.activity.step !== null,
  );
  readonly facts: Facts = $derived.by(() => this.timeline.factsAt(this.at));
  /** Whether everything that has happened has been shown. */
  readonly live: boolean = $derived.by(
    () => this.at === this.timeline.end && !this.isStepping && this.sending === null,
  );
  /** How many steps the list of moves has: it does not give away what is still to be shown. */
  readonly listed: number = $derived.by(() =>
    this.isFollowing ? this.at + (this.isStepping && this.at < this.timeline.end ? 1 : 0) : this.timeline.end,
  );
  /** Changes with the moment that is shown, not with each effect. */
  readonly moment: string = $derived.by(() => `${this.at}${this.isStepping ? "+" : ""}`);

  private readonly changed = new Signal(); // waiters check whether they are still current

  constructor(
    private readonly clock: PlaybackClock,
    private readonly pacing: () => Pacing = () => ({}),
    private readonly own: () => readonly number[] = () => [], // seats: what happened since their move is marked
  ) {}

  /** Show what has happened, and a move of ours that was sent. */
  update(timeline: Timeline, sending: StepView | null = null): void {
    const shown = this.timeline.steps.slice(0, this.at).map(({ move }) => move);
    const isWithdrawn = this.sending !== null && sending === null && this.at === timeline.end;
    this.timeline = timeline;
    this.sending = sending;
    if (this.at > timeline.end || !timeline.agrees(shown)) this.jump(timeline.end);
    // The game may have just begun; or our move was refused, and the reason is about the moment before it.
    else if (!this.isStepping || isWithdrawn) this.jump(this.at);
    if (this.at === timeline.end) this.isFollowing = true; // what came after it was taken back
    this.start("stepping");
  }

  /** Begin with the present, without showing what led to it. */
  begin(timeline: Timeline): void {
    this.timeline = timeline;
    this.jump(timeline.end);
  }

  /** Look at an earlier moment, or at the present one again. */
  lookAt(at: number): void {
    const moment = Math.max(0, Math.min(at, this.timeline.end));
    this.isFollowing = moment === this.timeline.end;
    this.jump(moment);
    this.start("stepping");
  }

  /** Show once more what has happened since a moment, however much it is. */
  replay(from: number): void {
    this.isFollowing = true;
    this.jump(Math.max(0, Math.min(from, this.timeline.end)));
    this.start("replaying");
  }

  /** Show the end of what is being shown, at once. */
  skip(): void {
    if (this.activity.kind === "idle") return;
    this.activity = { ...this.activity, skip: true };
    this.changed.emit();
  }

  stop(): void {
    this.isFollowing = false;
    this.changed.emit();
  }

  private start(kind: "stepping" | "replaying"): void {
    this.changed.emit();
    if (this.activity.kind === "idle") void this.run(kind);
    else if (kind === "replaying") this.activity = { kind, step: null, skip: this.activity.skip };
  }

  /** The next step to be shown: one that has happened, or our own. */
  private get next(): StepView | null {
    return this.timeline.steps[this.at] ?? this.sending;
  }

  private get isSkipping(): boolean {
    return this.activity.kind !== "idle" && this.activity.skip;
  }

  private async run(kind: "stepping" | "replaying"): Promise<void> {
    this.activity = { kind, step: null, skip: false };
    try {
      while (this.isFollowing && this.next) {
        const behind = this.timeline.end - this.at;
        const atOnce = this.isSkipping || (!this.isReplaying && this.isTooMuch(behind));
        if (atOnce && behind > 0) this.jump(this.timeline.end);
        else await this.show(this.next, atOnce);
      }
    } finally {
      this.activity = { kind: "idle" };
    }
  }

  private get isReplaying(): boolean {
    return this.activity.kind === "replaying";
  }

  private isTooMuch(steps: number): boolean {
    return this.clock.skipsAnimation() || steps > this.speed.most;
  }

  private async show(step: StepView, atOnce: boolean): Promise<void> {
    const from = this.at;
    // It may be taken back, refused or overtaken, or somebody looks elsewhere.
    const isCurrent = () => this.isFollowing && this.at === from && this.next?.move === step.move;
    this.setStep(step);
    this.marks = new Set();
    let { drawing } = this;
    for (const [index, effect] of step.effects.entries()) {
      this.drawing = drawing = applyEffect(drawing, effect);
      this.effect = effect;
      if (!atOnce) await this.pause(this.durationOf(effect, step.effects[index + 1]), isCurrent);
      if (!isCurrent()) break;
    }
    while (isCurrent() && from === this.timeline.end) {
      this.activity = { kind: "awaitingServer", step, skip: this.isSkipping };
      await this.changed.next();
    }
    if (this.at !== from) return; // another moment is shown
    if (!isCurrent()) return this.jump(from);
    this.jump(from + 1);
    if (this.at < this.timeline.end)
      await this.pause(BETWEEN_STEPS, () => this.isFollowing && this.at === from + 1);
  }

  private jump(at: number): void {
    this.at = at;
    this.effect = null;
    this.setStep(null);
    this.drawing = this.timeline.drawingAt(at);
    this.marks = this.timeline.marksAt(at, this.own());
  }

  private setStep(step: StepView | null): void {
    const { activity } = this;
    if (activity.kind === "idle") return;
    const kind = activity.kind === "replaying" ? "replaying" : "stepping";
    this.activity = { kind, step, skip: activity.skip };
  }

  /** Wait for some time, or until it is skipped or no longer current. */
  private async pause(ms: number, isCurrent: () => boolean): Promise<void> {
    if (ms === 0) return;
    const over = this.clock.wait(ms * this.speed.factor).then(() => true);
    while (!this.isSkipping && isCurrent() && !(await Promise.race([over, this.changed.next()])));
  }

  private get speed() {
    return PACES[this.pacing().pace ?? "normal"];
  }

  private durationOf([kind]: Effect, next?: Effect): number {
    const { gestures, silent, lasting } = this.pacing();
    if (silent?.includes(kind)) return 0;
    if (lasting?.includes(kind)) return LASTING_EFFECT;
    return next?.[0] === kind && gestures?.includes(kind) ? GESTURE_EFFECT : EFFECT;
  }
}
