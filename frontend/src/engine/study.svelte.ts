// A game without a table: any position, any moves, asked of the server each time. For pages that show,
// try or explain something on a board.

import { pacingOf } from "./boards.ts";
import { sceneOf, type Offer, type Scene } from "./contract.ts";
import { request, sleep } from "$core/http/api.ts";
import { reducedMotion } from "$core/a11y/motion.ts";
import { errorMessage, refusalWords } from "$core/describe/errors.ts";
import type { Options, PositionShown, Why } from "$core/http/types.ts";
import { Playback } from "./playback.svelte.ts";
import { Timeline } from "./timeline.ts";

/** Where a game is looked at from. */
export interface Where {
  game: string;
  players?: number;
  options?: Options;
  position?: string; // in text; if it is not said, the deal
  seed?: number; // of the deal
  seat?: number | null; // through whose eyes
  moves?: readonly string[]; // played from there
  whole?: boolean; // with what is hidden
  chapter?: number; // of the game's lesson, which begins with a position of its own
}

const MOST_KNOWN = 50; // positions that need not be asked for again

export class Study {
  shown = $state.raw<PositionShown | null>(null);
  timeline = $state.raw(Timeline.EMPTY);
  note = $state(""); // why something cannot be played
  sending = $state(false); // a position has been asked for, and is not shown yet
  private moves: readonly string[]; // requested moves
  private shownMoves: readonly string[]; // those of the position that is shown
  private requests = 0;
  private readonly known = new Map<string, PositionShown>(); // by what was played, the last asked for last
  readonly playback: Playback = new Playback({ wait: sleep, skipsAnimation: reducedMotion }, () =>
    pacingOf(this.where.game),
  );

  constructor(
    readonly where: Where,
    private readonly names: readonly string[] = [],
  ) {
    this.moves = this.shownMoves = where.moves ?? [];
  }

  /** Ask what there is to see. */
  async load(): Promise<void> {
    const { game, chapter, ...where } = this.where;
    const { moves } = this;
    const common = { path: { name: game }, patience: 15_000 };
    const asked = { moves: [...moves], refusals: true };
    const key = moves.join(" ");
    const shown =
      this.known.get(key) ??
      (await (chapter === undefined
        ? request("POST /games/{name}/positions", { ...common, body: { ...where, ...asked } })
        : request("POST /games/{name}/lesson/positions", { ...common, body: { chapter, ...asked } })));
    this.known.delete(key);
    this.known.set(key, shown);
    if (this.known.size > MOST_KNOWN) this.known.delete(this.known.keys().next().value!);
    if (moves !== this.moves) return; // something else is looked at by now
    this.shownMoves = moves;
    this.take(shown);
  }

  /** Show what was asked for elsewhere: the same position, and what was played from there. */
  take(shown: PositionShown): void {
    const first = this.shown === null;
    const { start, steps } = shown;
    this.shown = shown;
    this.timeline = Timeline.of({ start: start.drawing, facts: start.facts, steps });
    if (first) this.playback.begin(this.timeline);
    else this.playback.update(this.timeline);
  }

  /** Play a move; a throw that is due then falls by luck. If it cannot be shown, the note says why. */
  async play(move: string): Promise<void> {
    this.note = "";
    try {
      await this.advance([move]);
      while (this.shown?.throws?.length) await this.advance([drawn(this.shown.throws)]);
    } catch (error) {
      this.note = errorMessage(error, this.where.game);
    }
  }

  /** Play moves and throws. */
  async advance(moves: readonly string[]): Promise<void> {
    await this.show([...this.moves, ...moves]);
  }

  /** Look at where other moves and throws lead. */
  async show(moves: readonly string[]): Promise<void> {
    const request = ++this.requests;
    this.sending = true;
    this.moves = moves;
    try {
      await this.load();
    } catch (error) {
      if (request === this.requests) this.moves = this.shownMoves;
      throw error;
    } finally {
      if (request === this.requests) this.sending = false;
    }
  }

  /** Everything that has been played. */
  get played(): readonly string[] {
    return this.moves;
  }

  readonly scene: Scene | null = $derived.by(() => {
    const { shown, playback, timeline } = this;
    if (shown === null) return null;
    const players = Number(shown.options.players);
    const seat = this.where.seat ?? null;
    return sceneOf({
      mode: "play",
      game: this.where.game,
      options: shown.options,
      names: Array.from({ length: players }, (_, at) => this.names[at] ?? ""),
      bottom: seat ?? 0,
      you: seat,
      moment: playback.moment,
      drawing: playback.drawing,
      facts: playback.facts,
      toMove: timeline.moverAt(playback.at) ?? shown.to_move ?? null,
      steps: timeline.steps.slice(0, playback.at),
      marks: playback.marks,
      effect: playback.effect,
      result: playback.live && playback.at === timeline.end ? (shown.result ?? null) : null,
    });
  });

  /** The player to move may play. */
  readonly offer: Offer = $derived.by(() => {
    const { shown, playback } = this;
    const open = playback.live && !this.sending && shown !== null && shown.legal.length > 0;
    return {
      state: open ? "open" : this.sending || !playback.live ? "sending" : "closed",
      moves: open ? shown.legal : [],
      confirmEveryMove: false,
      play: (move: string) => void this.play(move),
      explain: (move: string) => (this.note = this.why(move)),
      bustChance: null,
    };
  });

  /** Why a move may not be played, in words; "" if nobody knows. */
  why(move: string): string {
    const refusal = this.refusal(move);
    return refusal ? refusalWords(this.where.game, refusal) : "";
  }

  /** The rule that forbids a move, if one does. */
  refusal(move: string): Why | undefined {
    return this.shown?.refusals?.find(({ moves }) => moves.includes(move));
  }
}

function drawn(throws: [string, number][]): string {
  let luck = Math.random();
  return (throws.find(([, odds]) => (luck -= odds) < 0) ?? throws.at(-1)!)[0];
}
