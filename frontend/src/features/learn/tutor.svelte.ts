// A lesson as it is played: which step it is, what has been played, what is said. Moves that a step does
// not accept are answered, and never played.

import type { Offer, Overlay, Scene } from "$engine/contract.ts";
import { NO_OFFER, NO_OVERLAY } from "$engine/contract.ts";
import { request, ApiError } from "$core/http/api.ts";
import { device, type LessonPlace } from "$core/device/device.svelte.ts";
import type { LessonShown, LessonStep } from "$core/http/types.ts";
import type { TextLanguage } from "$core/i18n/words.svelte.ts";
import { Study } from "$engine/study.svelte.ts";
import { before, opened } from "./steps.ts";

/** A step is asked for, its move and the replies are shown, its last words are said; or all is over. */
export type Phase = "asking" | "showing" | "told" | "over";

/** What is said of a move that was not played. */
export type Answer = { kind: "wrong" | "refused"; move: string };

const START: LessonPlace = { chapter: 0, step: 0, moves: [] };

export class Tutor {
  lesson = $state.raw<LessonShown | null>(null);
  missing = $state(false); // there is no such lesson
  phase = $state<Phase>("asking");
  answer = $state.raw<Answer | null>(null);
  trouble = $state.raw<ApiError | null>(null); // why a move could not be shown: it can be made again
  hinting = $state(false); // the move that is expected is shown
  study = $state.raw<Study | null>(null); // of the chapter
  private place = $state.raw<LessonPlace>(START);
  private tries = $state(0); // what was chosen for each is let go
  private sending = $state(false);
  private closed = false;
  private readonly stopWatching: () => void;

  constructor(
    readonly game: string,
    private readonly names: (seat: number, lesson: LessonShown) => string,
  ) {
    this.stopWatching = $effect.root(() => {
      $effect(() => {
        if (this.phase === "showing" && !this.sending && this.study?.playback.live) this.shown();
      });
    });
  }

  close(): void {
    this.closed = true;
    this.stopWatching();
    this.study?.playback.stop();
  }

  /** Its texts in a language, and where it was left. */
  async load(language: TextLanguage): Promise<void> {
    try {
      const lesson = await request("GET /games/{name}/lesson", {
        path: { name: this.game },
        query: { language },
      });
      if (this.closed) return;
      this.lesson = lesson;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      this.missing = true;
      return;
    }
    if (this.study === null) await this.enter(device.settings.lessons[this.game] ?? START);
  }

  // ---- Where we are

  readonly chapter = $derived.by(() => this.lesson?.chapters[this.place.chapter] ?? null);
  readonly step: LessonStep | null = $derived.by(() => this.chapter?.steps[this.place.step] ?? null);
  /** How many steps there are. */
  readonly all: number = $derived.by(() => this.before(this.lesson?.chapters.length ?? 0));
  /** Which one this is, from 1. */
  readonly number: number = $derived.by(() =>
    Math.min(this.before(this.place.chapter) + this.place.step + 1, this.all),
  );
  readonly begun: boolean = $derived.by(() => this.number > 1 || this.phase === "over");

  readonly canGoBack: boolean = $derived.by(
    () => !this.sending && this.phase !== "showing" && (this.begun || this.phase === "told"),
  );

  private before(chapter: number): number {
    return (this.lesson?.chapters.slice(0, chapter) ?? []).reduce((sum, { steps }) => sum + steps.length, 0);
  }

  /** Go to a step, in the next chapter if there is none in its own. */
  private async enter(place: LessonPlace): Promise<void> {
    const { chapters } = this.lesson!;
    const chapter = chapters[place.chapter];
    if (chapter && place.step >= chapter.steps.length)
      return this.enter({
        chapter: place.chapter + 1,
        step: 0,
        moves: place.chapter + 1 < chapters.length ? [] : place.moves, // the last board stays
      });
    this.keep({ ...place, over: !chapter || undefined });
    if (!chapter && this.study) return this.be("over", place);
    const { seat } = this.lesson!;
    const shown = Math.min(place.chapter, chapters.length - 1);
    const { study: known } = this;
    if (known?.where.chapter !== shown || place.step === 0 || known.played.length !== place.moves.length) {
      const where = { game: this.game, seat, chapter: shown, moves: place.moves };
      const study = new Study(where);
      try {
        await study.load();
      } catch (error) {
        // The lesson may be another one since: then its chapter begins anew.
        const stale = error instanceof ApiError && error.status === 422 && place.moves.length > 0;
        if (!stale) throw error;
        return this.enter({ chapter: place.chapter, step: 0, moves: [] });
      }
      if (this.closed) return;
      this.study?.playback.stop();
      this.study = study;
    }
    this.be(chapter ? "asking" : "over", place);
  }

  private be(phase: Phase, place: LessonPlace): void {
    this.place = place;
    this.answer = null;
    this.hinting = false;
    this.tries += 1;
    this.phase = phase;
  }

  private keep(place: LessonPlace): void {
    const begun = place.chapter > 0 || place.step > 0;
    if (begun || this.game in device.settings.lessons) device.leaveLesson(this.game, place);
  }

  // ---- What the learner does

  /** Read on. */
  async goOn(): Promise<void> {
    if (this.phase === "told") return this.next();
    if (this.phase === "asking" && this.step && !this.step.moves?.length) await this.advance([]);
  }

  /** Point at the move that is expected. */
  hint(): void {
    this.answer = null;
    this.hinting = true;
    this.tries += 1;
  }

  async startAgain(): Promise<void> {
    device.leaveLesson(this.game, null);
    await this.goTo(START);
  }

  /** To the step before, or to what this one asked for if that has been done. */
  async goBack(): Promise<void> {
    if (!this.canGoBack) return;
    const { place, lesson } = this;
    const back = this.phase === "told" ? opened : before;
    await this.goTo(back(lesson!.chapters, place));
  }

  private async goTo(place: LessonPlace): Promise<void> {
    this.trouble = null;
    try {
      await this.enter(place);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.trouble = error;
    }
  }

  private async play(move: string): Promise<void> {
    const { step } = this;
    if (this.phase !== "asking" || this.sending || !step?.moves?.length) return;
    if (step.moves.includes(move)) return this.advance([move]);
    this.answer = { kind: "wrong", move };
    this.tries += 1;
  }

  /** A move is made, if there is one, and answered. */
  private async advance(made: string[]): Promise<void> {
    const { study, place, step } = this;
    const moves = [...made, ...(step!.replies ?? [])];
    this.answer = this.trouble = null;
    this.hinting = false;
    this.sending = true;
    try {
      if (moves.length > 0) await study!.advance(moves);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.trouble = error;
      this.tries += 1;
      return;
    } finally {
      this.sending = false;
    }
    this.keep({ ...place, step: place.step + 1, moves: study!.played });
    this.phase = "showing";
  }

  private shown(): void {
    if (this.step?.done) this.phase = "told";
    else void this.next();
  }

  private async next(): Promise<void> {
    const { chapter, step } = this.place;
    try {
      await this.enter({ chapter, step: step + 1, moves: this.study!.played });
      this.trouble = null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.trouble = error;
      this.phase = "told"; // from where one goes on
    }
  }

  // ---- What the board is given

  readonly scene: Scene | null = $derived.by(() => {
    const scene = this.study?.scene;
    const moment = `${this.place.chapter} ${scene?.moment} ${this.tries}`;
    const names = scene?.names.map((_, seat) => this.names(seat, this.lesson!)) ?? [];
    return scene ? { ...scene, moment, names, mode: "study" } : null;
  });

  readonly offer: Offer = $derived.by(() => {
    const { study, phase, step } = this;
    if (!study) return NO_OFFER;
    const asks = phase === "asking" && (step?.moves?.length ?? 0) > 0;
    const open = asks && !this.sending && study.playback.live;
    return {
      state: open ? "open" : phase === "showing" || this.sending ? "sending" : "closed",
      moves: open ? (study.shown?.legal ?? []) : [],
      confirmEveryMove: device.settings.confirm,
      play: (move: string) => void this.play(move),
      explain: (move: string) => {
        if (open) this.answer = { kind: "refused", move };
      },
      bustChance: null,
    };
  });

  readonly overlay: Overlay = $derived.by(() => {
    const { step, phase } = this;
    if (phase !== "asking" || !step) return NO_OVERLAY;
    const hint = this.hinting ? (step.moves?.[0] ?? null) : null;
    return { ...NO_OVERLAY, highlights: new Set(step.highlight ?? []), hint };
  });
}
