// What the rules tell of a position of quadrille: by seat, the letter of its pawns and the colours it
// controls. Those are closed to the other seat.

import type { Facts } from "$core/http/types.ts";

export interface Sides {
  pawns: readonly string[]; // "W", "B"
  closed: readonly string[]; // letters of tokens, as "br"
}

export function sidesOf({ colours, control }: Facts): Sides {
  return { pawns: texts(colours), closed: texts(control).reverse() };
}

function texts(told: unknown): string[] {
  return Array.isArray(told) ? told.map(String) : [];
}
