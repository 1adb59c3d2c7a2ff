// What this device remembers of puzzles: how it went with each, and with the puzzles of the day.
//
// The first try is the one that counts: a wrong one, a hint or the solution before it is never forgotten.

import { device, type PuzzleFate } from "$core/device/device.svelte.ts";

export const keyOf = (game: string, id: string): string => `${game}/${id}`;

export function fateOf(game: string, id: string): PuzzleFate | undefined {
  return device.settings.puzzles[keyOf(game, id)];
}

export function isSolved(fate: PuzzleFate | undefined): boolean {
  return fate === "first" || fate === "later";
}

/** What becomes of a puzzle's fate by a try, a hint or the solution. */
export function changed(fate: PuzzleFate | undefined, by: "right" | "wrong" | "shown"): PuzzleFate {
  if (isSolved(fate)) return fate!;
  if (by === "right") return fate === undefined ? "first" : "later";
  return by === "shown" || fate === "shown" ? "shown" : "tried";
}

/** Note how it went; `today` is the date if it is the puzzle of that day. */
export function note(game: string, id: string, by: "right" | "wrong" | "shown", today: string | null): void {
  const { puzzles, days } = device.settings;
  const key = keyOf(game, id);
  const before = puzzles[key];
  const fate = changed(before, by);
  device.settings.puzzles = { ...puzzles, [key]: fate };
  if (today !== null && !isSolved(days[today])) device.settings.days = { ...days, [today]: fate };
  device.save();
}

const DAY = 86_400_000; // ms

export function dateOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** How many days in a row, up to today or yesterday, the puzzle of the day was solved at the first try. */
export function streak(days: Readonly<Record<string, PuzzleFate>>, today: string): number {
  let at = Date.parse(today);
  if (days[today] === undefined) at -= DAY; // there is still time
  let run = 0;
  while (days[dateOf(at)] === "first") {
    run += 1;
    at -= DAY;
  }
  return run;
}
