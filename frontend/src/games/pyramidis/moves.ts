// Moves as a board sees them that knows no rule: how they are chosen, and what they do step by step.

import type { Effect, Choice } from "$core/http/types.ts";
import type { Ways } from "$engine/choosing.svelte.ts";
import { arrivalOf } from "./cross.ts";

/** The square a move takes its column from. */
export const squareOf = (move: string) => move.split("*")[0]!;

/** How many pyramids a move takes up. */
export const takenBy = (effects: Effect[]) => effects.filter(([kind]) => kind === "lift").length;

/** The square a step happens on; a pyramid goes home from its own arrival square. */
export function squareOfStep([kind, source, target, piece]: Effect): string | null {
  if (kind === "home") return arrivalOf(piece ?? "");
  return kind === "lift" || kind === "stray" ? source : target;
}

export interface Visit {
  square: string;
  first: number; // of the pyramids left here, counted along the way; 0 if none is
  last: number;
}

/** The squares a move passes, in order, with the numbers of the pyramids it leaves there. */
export function visitsOf(effects: Effect[]): Visit[] {
  const visits: Visit[] = [];
  let sown = 0;
  for (const effect of effects) {
    const [kind] = effect;
    const square = squareOfStep(effect);
    if (square === null || kind === "lift" || kind === "stray") continue;
    let visit = visits.at(-1);
    if (visit?.square !== square) visits.push((visit = { square, first: 0, last: 0 }));
    if (effect[3] === null) continue;
    visit.last = ++sown;
    visit.first ||= sown;
  }
  return visits;
}

/** The numbers of a visit as they are written on the board; nothing on a square that is jumped. */
export function numbersOf({ first, last }: Visit): string {
  if (first === 0) return "";
  return first === last ? String(first) : `${first}–${last}`;
}

/** A column is tapped, and the most that may be taken of it is shown; so is the way it goes. */
export function waysOf(legal: () => readonly Choice[]): Ways {
  return {
    things: (move) => [squareOf(move)],
    prefer: (left) =>
      left.reduce((most, seen) => (takenBy(seen.effects) > takenBy(most.effects) ? seen : most)),
    confirms: ({ effects }, thing) =>
      visitsOf(effects).at(-1)?.square === thing && !legal().some(({ move }) => squareOf(move) === thing),
    meant: (_, thing) => thing,
  };
}

/** How many pyramids a move brings home, whosever they are. */
export const broughtHome = (effects: Effect[]) => effects.filter(([kind]) => kind === "home").length;

/** The squares whose columns may be taken, as they lie along a way; those off it last. */
export function columnsAlong(way: readonly string[], legal: readonly Choice[]): string[] {
  const squares = new Set(
    legal.filter(({ effects }) => takenBy(effects) > 0).map(({ move }) => squareOf(move)),
  );
  const on = way.filter((square) => squares.has(square));
  return [...on, ...[...squares].filter((square) => !on.includes(square))];
}

/** Where a column that has strayed comes back to its track. */
export function backOn(effects: Effect[]): string | null {
  return effects.find(([kind]) => kind === "stray")?.[2] ?? null;
}
