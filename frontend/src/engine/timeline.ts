// A game as it went: every step with what it did, and what there was to see at each moment. A moment is
// the number of steps before it. Nothing in here changes: what happens makes another timeline.

import { applyAll, touchedPlaces } from "./drawing.ts";
import type { Drawing, Facts, HistoryView, StepView } from "$core/http/types.ts";

export class Timeline {
  private readonly drawings: Drawing[]; // as far as they were asked for

  private constructor(
    private readonly start: Drawing,
    private readonly first: Facts,
    readonly steps: readonly StepView[],
    drawings: Drawing[] = [start],
  ) {
    this.drawings = drawings;
  }

  static readonly EMPTY = new Timeline({}, {}, []);

  static of({ start, facts, steps }: Pick<HistoryView, "start" | "facts" | "steps">): Timeline {
    let before = facts ?? {};
    const known = steps.map((step) => {
      const whose = withThrower(step, before);
      before = step.facts ?? before;
      return whose;
    });
    return new Timeline(start, facts ?? {}, known);
  }

  /** How many steps there are: the moment that is now. */
  get end(): number {
    return this.steps.length;
  }

  after(step: StepView): Timeline {
    const known = withThrower(step, this.factsAt(this.end));
    return new Timeline(this.start, this.first, [...this.steps, known], [...this.drawings]);
  }

  /** With the first so many steps. */
  upTo(count: number): Timeline {
    if (count >= this.end) return this;
    return new Timeline(
      this.start,
      this.first,
      this.steps.slice(0, count),
      this.drawings.slice(0, count + 1),
    );
  }

  /** Whether it has these moves, as far as both go. */
  agrees(moves: readonly string[]): boolean {
    return this.steps.every(({ move }, at) => at >= moves.length || move === moves[at]);
  }

  drawingAt(at: number): Drawing {
    for (let known = this.drawings.length; known <= at; known++) {
      this.drawings.push(applyAll(this.drawings[known - 1]!, this.steps[known - 1]!.effects));
    }
    return this.drawings[at]!;
  }

  factsAt(at: number): Facts {
    return this.steps.slice(0, at).findLast(({ facts }) => facts !== undefined)?.facts ?? this.first;
  }

  /**
   * Whose turn it was: of the seat that moved next, or whose dice were thrown next, as a throw may end a turn. Null at
   * the last moment of most games: only the table knows it.
   */
  moverAt(at: number): number | null {
    const next = this.steps
      .slice(at)
      .map(actorOf)
      .find((seat) => seat !== undefined);
    return next ?? turnIn(this.factsAt(at)) ?? null;
  }

  /** Before a moment: the last step of the others, or the throw that ended a turn, since one's own last move. */
  lastOpponentStep(at: number, you: number | null): StepView | null {
    const since = this.startOfNews(at, you === null ? [] : [you]);
    const isNews = (step: StepView, index: number) =>
      step.seat === undefined ? this.moverAt(since + index + 1) !== step.thrower : step.seat !== you;
    return this.steps.slice(since, at).findLast(isNews) ?? null;
  }

  /** Before a moment: where the news begins for the players of these seats, which is after their own last move. */
  startOfNews(at: number, own: readonly number[]): number {
    const last = this.steps
      .slice(0, at)
      .findLastIndex(({ seat }) => seat !== undefined && own.includes(seat));
    const isLastStepOnly = own.length === 0 || last === at - 1; // for spectators, and after one's own move
    return isLastStepOnly ? Math.max(0, at - 1) : last + 1;
  }

  /** The places that the news has changed. */
  marksAt(at: number, own: readonly number[] = []): ReadonlySet<string> {
    return touchedPlaces(this.steps.slice(this.startOfNews(at, own), at).flatMap(({ effects }) => effects));
  }
}

/** Whose turn it is, in games whose facts say it. */
function turnIn({ turn }: Facts): number | undefined {
  return typeof turn === "number" ? turn : undefined;
}

/** Dice are thrown for the player whose turn it is before the throw. */
function withThrower(step: StepView, before: Facts): StepView {
  const thrower = turnIn(before);
  return step.seat === undefined && thrower !== undefined ? { ...step, thrower } : step;
}

/** Who made a step. */
const actorOf = ({ seat, thrower }: StepView) => seat ?? thrower;
