// What the rules tell of a moment of Bâtisseurs, besides blocks and dice.

import type { Facts } from "$core/http/types.ts";

/** Whose turn it is, also while the dice are about to be thrown; null if nobody has told. */
export function turnOf({ turn }: Facts): number | null {
  return typeof turn === "number" ? turn : null;
}
