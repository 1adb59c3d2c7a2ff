// A puzzle as it is solved: what is tried is answered by the server, and the answer is played out on the board.

import type { Offer, Overlay, Scene } from "$engine/contract.ts";
import { NO_OFFER, NO_OVERLAY } from "$engine/contract.ts";
import { Study } from "$engine/study.svelte.ts";
import { request, ApiError } from "$core/http/api.ts";
import { device } from "$core/device/device.svelte.ts";
import { reducedMotion } from "$core/a11y/motion.ts";
import type { PuzzleAnswer, PuzzleShown } from "$core/http/types.ts";
import { fateOf, note } from "./progress.ts";

/** A move is asked for; its answer is shown, and then it was wrong, right, or the solution after giving up. */
export type Phase = "asking" | "wrong" | "right" | "shown";

export class Solver {
  puzzle = $state.raw<PuzzleShown | null>(null);
  missing = $state(false); // there is no such puzzle
  study = $state.raw<Study | null>(null);
  phase = $state<Phase>("asking");
  answer = $state.raw<PuzzleAnswer | null>(null);
  refused = $state(""); // a move that is not legal
  hinting = $state(false); // the places to look at are shown
  trouble = $state.raw<ApiError | null>(null);
  today = $state<string | null>(null); // the date, if it is the puzzle of the day
  private tries = $state(0); // what was chosen for each is let go
  private sending = $state(false);
  private closed = false;

  constructor(
    readonly game: string,
    readonly id: string,
    private readonly names: (seat: number, puzzle: PuzzleShown) => string,
  ) {}

  private get path(): { name: string; puzzle: string } {
    return { name: this.game, puzzle: this.id };
  }

  close(): void {
    this.closed = true;
    this.study?.playback.stop();
  }

  async load(): Promise<void> {
    try {
      const [puzzle, today] = await Promise.all([
        request("GET /puzzles/{name}/{puzzle}", { path: this.path, patience: 15_000 }),
        request("GET /puzzles/today"),
      ]);
      if (this.closed) return;
      this.puzzle = puzzle;
      if (today.puzzle.game === this.game && today.puzzle.id === this.id) this.today = today.date;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      this.missing = true;
      return;
    }
    this.again();
  }

  readonly fate = $derived.by(() => fateOf(this.game, this.id));

  /** From the position of the puzzle. */
  again(): void {
    const { puzzle } = this;
    if (!puzzle) return;
    this.study?.playback.stop();
    const study = new Study({ game: this.game, seat: puzzle.seat });
    study.take(puzzle.position);
    this.study = study;
    this.answer = this.trouble = null;
    this.refused = "";
    this.phase = "asking";
    this.tries += 1;
  }

  hint(): void {
    if (this.phase !== "asking") return;
    this.hinting = true;
    note(this.game, this.id, "wrong", this.today); // with help it is not the first try any more
  }

  async giveUp(): Promise<void> {
    note(this.game, this.id, "shown", this.today);
    await this.asked("shown", () => request("GET /puzzles/{name}/{puzzle}/solution", { path: this.path }));
  }

  private async attempt(move: string): Promise<void> {
    if (this.phase !== "asking" || this.sending) return;
    await this.asked(null, () =>
      request("POST /puzzles/{name}/{puzzle}/try", { path: this.path, body: { move }, patience: 15_000 }),
    );
  }

  /** Ask, and play the answer out. */
  private async asked(as: Phase | null, question: () => Promise<PuzzleAnswer>): Promise<void> {
    this.sending = true;
    this.trouble = null;
    this.refused = "";
    try {
      const answer = await question();
      if (this.closed) return;
      if (this.phase !== "asking") this.again();
      if (as === null) note(this.game, this.id, answer.right ? "right" : "wrong", this.today);
      this.answer = answer;
      this.phase = as ?? (answer.right ? "right" : "wrong");
      this.study!.take(answer.line);
      if (!reducedMotion()) this.study!.playback.replay(0); // however long the line is
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.trouble = error;
      this.tries += 1;
    } finally {
      this.sending = false;
    }
  }

  // ---- What the board is given

  readonly scene: Scene | null = $derived.by(() => {
    const { puzzle } = this;
    const scene = this.study?.scene;
    if (!scene || !puzzle) return null;
    const names = scene.names.map((_, seat) => this.names(seat, puzzle));
    return { ...scene, names, moment: `${scene.moment} ${this.tries}`, mode: "study" };
  });

  readonly offer: Offer = $derived.by(() => {
    const { study, phase } = this;
    if (!study) return NO_OFFER;
    const open = phase === "asking" && !this.sending && study.playback.live;
    return {
      state: open ? "open" : this.sending ? "sending" : "closed",
      moves: open ? (study.shown?.legal ?? []) : [],
      confirmEveryMove: device.settings.confirm,
      play: (move: string) => void this.attempt(move),
      explain: (move: string) => {
        if (open) this.refused = move;
      },
      bustChance: null,
    };
  });

  readonly overlay: Overlay = $derived.by(() => {
    const { puzzle, phase, hinting } = this;
    if (!puzzle || phase !== "asking" || !hinting) return NO_OVERLAY;
    return { ...NO_OVERLAY, highlights: new Set(puzzle.nudge) };
  });
}
