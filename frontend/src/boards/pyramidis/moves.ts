// Legal moves sorted for a board that knows no rule: by the column they take, and step by step.

import type { Effect, MoveView } from "../../lib/types.ts";
import { arrivalOf } from "./cross.ts";

/** The square a move takes its column from. */
export const squareOf = (move: string) => move.split("*")[0]!;

/** What may be played with each column. */
export function byColumn(legal: MoveView[]): Map<string, MoveView[]> {
  const columns = new Map<string, MoveView[]>();
  for (const seen of legal) {
    const square = squareOf(seen.move);
    columns.set(square, [...(columns.get(square) ?? []), seen]);
  }
  return columns;
}

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

/** Where a column that has strayed comes back to its track. */
export function backOn(effects: Effect[]): string | null {
  return effects.find(([kind]) => kind === "stray")?.[2] ?? null;
}
