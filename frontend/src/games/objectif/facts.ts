// What the rules tell of a position of objectif: what decides between colours.

import type { Facts } from "$core/http/types.ts";

export const COLUMNS = ["places", "piles", "tallest"] as const; // in the order that decides
export type Column = (typeof COLUMNS)[number];

/** How a colour stands in a column, once it is told. */
export function standing({ counts }: Facts, colour: string, column: Column): number | null {
  const told = (counts as Record<string, readonly number[]> | undefined)?.[colour];
  return told?.[COLUMNS.indexOf(column)] ?? null;
}
