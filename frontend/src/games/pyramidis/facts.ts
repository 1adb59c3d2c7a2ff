// What the rules say of a moment of Pyramidis, besides the pyramids.

import type { Facts } from "$core/http/types.ts";
import { ROUND } from "./cross.ts";

/** Each seat's colour; as they sit around the whole board if nobody has told. */
export function coloursOf({ colours }: Facts): string[] {
  const told = Array.isArray(colours) ? colours.map(String) : [];
  return told.length > 0 ? told : [...ROUND];
}

/** How many pyramids win once they are home; none if nobody has told. */
export function neededOf({ needed }: Facts): number {
  return typeof needed === "number" ? needed : 0;
}
