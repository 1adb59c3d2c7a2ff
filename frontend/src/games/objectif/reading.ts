// What a picture of objectif needs to read off a drawing. No rule is in here.

import { applyAll } from "$engine/drawing.ts";
import type { Drawing, Effect } from "$core/http/types.ts";

/** The places that lie on the table, in their order; stocks have a colon in their name. */
export function placesOf(drawing: Drawing): string[] {
  return Object.keys(drawing)
    .filter((place) => !place.includes(":"))
    .sort((a, b) => Number(a) - Number(b));
}

/** The colours in the game, in the palette's order: every one has its bases on the table. */
export function coloursOf(drawing: Drawing, palette: object): string[] {
  const seen = new Set(Object.values(drawing).join("").toLowerCase());
  return Object.keys(palette).filter((letter) => seen.has(letter));
}

export const stockOf = (seat: number) => `stock:${seat + 1}`;

/** How many pieces of a colour lie somewhere. */
export function count(pieces: string | undefined, colour: string): number {
  return [...(pieces ?? "")].filter((piece) => piece === colour.toUpperCase()).length;
}

/** Whether it is a base, which lies lowest, and not a piece. */
export const isBase = (piece: string) => piece === piece.toLowerCase();

/** What a place shows, as a colour: its top piece, or the bare base. */
export function shown(pieces: string | undefined): string {
  return (pieces ?? "").slice(-1).toLowerCase();
}

/** How many places show a colour. */
export function showing(drawing: Drawing, colour: string): number {
  return placesOf(drawing).filter((place) => shown(drawing[place]) === colour).length;
}

export type Change = "more" | "less" | null;

/** Whether what lies on a place grows or shrinks by the effects. */
export function changeAt(drawing: Drawing, effects: Effect[] | undefined, place: string): Change {
  if (!effects) return null;
  const before = drawing[place]?.length ?? 0;
  const after = applyAll(drawing, effects)[place]?.length ?? 0;
  return after > before ? "more" : after < before ? "less" : null;
}
