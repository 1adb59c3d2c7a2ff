// A game that is over, as it is looked at again: its steps, what is known of them so far, and the moment that is shown.

import { untrack } from "svelte";
import { NO_OFFER, NO_OVERLAY, sceneOf, type Offer, type Overlay, type Scene } from "$engine/contract.ts";
import { pacingOf } from "$engine/boards.ts";
import { Playback } from "$engine/playback.svelte.ts";
import { Study } from "$engine/study.svelte.ts";
import { Timeline } from "$engine/timeline.ts";
import { allPages, requestOnce, sleep, ApiError } from "$core/http/api.ts";
import { touchedPlaces } from "$engine/drawing.ts";
import { reducedMotion } from "$core/a11y/motion.ts";
import type { HistoryView, StepView } from "$core/http/types.ts";
import { Polled } from "$core/http/polled.svelte.ts";
import { namesOf } from "./describe.ts";
import type { Review, ReviewStep } from "$core/http/types.ts";

const OFTEN = 700; // ms between two looks at a review that is being made
const PAUSE = 200; // ms somebody stays with a step before its best line is asked for
const REFUSED = ["no-such-table", "not-over"]; // there is nothing to wait for

export class Reviewing {
  readonly playback: Playback = new Playback({ wait: sleep, skipsAnimation: reducedMotion }, () =>
    pacingOf(this.review?.game ?? ""),
  );
  private readonly answers: Polled<Review>;
  private readonly steps: Polled<HistoryView>;
  timeline = $state.raw(Timeline.EMPTY);
  private begun = $state(false);
  better = $state(false); // what would have been best is shown instead of what was played
  ahead = $state(0); // so many moves of that line are shown; 0: the first is only pointed at
  private studied = $state.raw<Study | null>(null);
  private readonly studies = new Map<string, Study>(); // of lines that were looked at
  private readonly stopWatching: () => void;

  constructor(
    readonly id: string,
    wanted: number | null, // the moment to begin with, if not the last
  ) {
    this.answers = new Polled(() => requestOnce("GET /reviews/{id}", { path: { id } }), OFTEN);
    this.steps = new Polled(
      () => allPages((first) => requestOnce("GET /reviews/{id}/history", { path: { id }, query: { first } })),
      0,
    );
    this.stopWatching = $effect.root(() => {
      $effect(() => {
        if (this.answers.value?.complete || this.refused) this.answers.stop();
        if (this.refused) this.steps.stop();
      });
      $effect(() => {
        const { value } = this.steps;
        if (value) untrack(() => this.begin(value, wanted));
      });
      $effect(() => {
        const { which } = this;
        this.ahead = 0;
        const known = this.studies.get(which) ?? null;
        untrack(() => known?.playback.begin(known.timeline.upTo(0)));
        this.studied = known;
        if (!which || known) return;
        const timer = setTimeout(() => void this.study(which), PAUSE);
        return () => clearTimeout(timer);
      });
    });
  }

  close(): void {
    this.stopWatching();
    this.answers.stop();
    this.steps.stop();
    this.playback.stop();
    this.studied?.playback.stop();
  }

  // ---- What is known

  readonly review: Review | null = $derived.by(() => this.answers.value);
  readonly trouble: ApiError | null = $derived.by(() => this.answers.trouble ?? this.steps.trouble);
  /** Why there will be no review, by its code. */
  readonly refused: string = $derived.by(() => {
    const code = this.answers.trouble?.code ?? "";
    return REFUSED.includes(code) ? code : "";
  });
  readonly names: readonly string[] = $derived.by(() => (this.review ? namesOf(this.review) : []));
  /** The chances of every moment, by seat. */
  readonly chances: readonly (readonly number[])[] = $derived.by(() =>
    this.review ? [this.review.start, ...this.review.steps.map(({ chances }) => chances)] : [],
  );

  // ---- Which moment is shown

  readonly at: number = $derived.by(() => this.playback.at);
  readonly end: number = $derived.by(() => this.timeline.end);
  /** The step that led to it, as it was played and as it is judged. */
  readonly played: StepView | null = $derived.by(() => this.timeline.steps[this.at - 1] ?? null);
  readonly judged: ReviewStep | null = $derived.by(() => this.review?.steps[this.at - 1] ?? null);

  /** The position before that step, whole. */
  readonly before: string = $derived.by(() => this.review?.positions?.[this.at - 1] ?? "");

  private begin(history: HistoryView, wanted: number | null): void {
    if (this.begun) return;
    this.timeline = Timeline.of(history);
    this.begun = true;
    this.playback.begin(this.timeline);
    if (wanted !== null) this.playback.lookAt(wanted);
  }

  go(at: number): void {
    this.playback.lookAt(at);
  }

  // ---- What would have been best

  /** Whether there was something better to play. */
  readonly hasBest: boolean = $derived.by(() => {
    const { best = null, grade = null } = this.judged ?? {};
    return best !== null && grade !== null && grade !== "best";
  });
  /** The line to look at: the best move, and what is expected then. */
  readonly line: readonly string[] = $derived.by(() => {
    const { best = null, line = [] } = this.judged ?? {};
    if (best === null) return [];
    return line[0] === best ? line : [best, ...line];
  });
  /** Its steps, once they are known. */
  readonly lineSteps: readonly StepView[] = $derived.by(() => this.studied?.timeline.steps ?? []);
  private readonly showsBest: boolean = $derived.by(() => this.better && this.hasBest);

  /** Which line it is: another one for every step, and when more is known of it. */
  private readonly which: string = $derived.by(() =>
    this.hasBest ? `${this.at} ${this.line.join(" ")}` : "",
  );

  private async study(which: string): Promise<void> {
    const { game, options } = this.review!;
    const { players, ...others } = options;
    const where = { game, players: Number(players), options: others, position: this.before };
    const study = new Study({ ...where, moves: this.line });
    try {
      await study.load();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return; // the move is still described by its name; a reader who comes back asks for it again
    }
    study.playback.begin(study.timeline.upTo(0));
    this.studies.set(which, study);
    if (this.which === which) this.studied = study;
  }

  /** Show so many moves of the best line: forward one by one, back at once. */
  lookAhead(moves: number): void {
    const { studied, ahead } = this;
    if (!studied) return;
    const to = Math.max(0, Math.min(moves, studied.timeline.end));
    studied.playback.begin(studied.timeline.upTo(Math.min(ahead, to)));
    this.ahead = to;
    studied.playback.update(studied.timeline.upTo(to));
  }

  // ---- What the board is given

  private readonly side: number = $derived.by(() => Math.max(0, this.review?.levels.indexOf(0) ?? 0));

  readonly scene: Scene | null = $derived.by(() => {
    const { review, playback, timeline, studied } = this;
    if (!review || !this.begun) return null;
    const common = { mode: "diagram" as const, names: this.names, bottom: this.side, you: null };
    if (this.showsBest && studied?.scene)
      return { ...studied.scene, ...common, moment: `best ${this.at} ${this.ahead}` };
    const at = this.showsBest ? playback.at - 1 : playback.at;
    return sceneOf({
      ...common,
      game: review.game,
      options: review.options,
      moment: `${at}`,
      drawing: timeline.drawingAt(at),
      facts: timeline.factsAt(at),
      toMove: timeline.moverAt(at),
      steps: timeline.steps.slice(0, at),
      marks: timeline.marksAt(at),
      result: at === timeline.end ? { shares: review.shares, reason: review.reason } : null,
    });
  });

  private readonly pointed: StepView | null = $derived.by(() =>
    this.showsBest && this.ahead === 0 ? (this.studied?.timeline.steps[0] ?? null) : null,
  );
  readonly offer: Offer = $derived.by(() =>
    this.pointed ? { ...NO_OFFER, moves: [this.pointed] } : NO_OFFER,
  );
  readonly overlay: Overlay = $derived.by(() => {
    const { pointed } = this;
    const touchable = new Set<string>(); // it is only looked at
    if (!pointed) return { ...NO_OVERLAY, touchable };
    return { ...NO_OVERLAY, touchable, highlights: touchedPlaces(pointed.effects), hint: pointed.move };
  });
}
