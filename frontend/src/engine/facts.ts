// Facts of a position that several games have, or that more than a board reads.

import type { Facts } from "$core/http/types.ts";

/** Everybody's goal, `?` where we may not know it. */
export function goalsOf({ goals }: Facts): readonly string[] {
  return Array.isArray(goals) ? goals.map(String) : [];
}
