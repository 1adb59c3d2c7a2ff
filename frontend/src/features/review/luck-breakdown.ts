// What came of luck, and what of decisions.

import type { Review } from "$core/http/types.ts";

/** From a seat's chance at the start to that at the end: all that changed it, which is their sum. */
export interface Account {
  start: number;
  dice: number;
  own: number; // what its own decisions gave away, as a loss
  others: number; // what those of the others gave it, or took
  end: number;
}

/** By seat; null where no dice are thrown, or the numbers are estimates that do not add up. */
export function accountsOf({ exact, start, steps, seats }: Review): Account[] | null {
  const last = steps.at(-1)?.chances;
  if (!exact || !last || seats.length === 0 || seats.some(({ luck = null }) => luck === null)) return null;
  return seats.map(({ luck, lost }, seat) => {
    const [first, end, dice] = [start[seat] ?? 0, last[seat] ?? 0, luck ?? 0];
    return { start: first, dice, own: -lost, others: end - first - dice + lost, end };
  });
}
