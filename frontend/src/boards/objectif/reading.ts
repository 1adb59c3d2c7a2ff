// What a picture of objectif needs to read off a drawing and a view. No rule is in here.

import { followAll } from "../../lib/drawing.ts";
import type { Drawing, Effect } from "../../lib/types.ts";

/** The places that lie on the table, in their order; stocks have a colon in their name. */
export function placesOf(drawing: Drawing): string[] {
  return Object.keys(drawing)
    .filter((place) => !place.includes(":"))
    .sort((a, b) => Number(a) - Number(b));
}

/** The colours in the game, in the palette's order: every one has its Cases on the table. */
export function coloursOf(drawing: Drawing, palette: object): string[] {
  const seen = new Set(Object.values(drawing).join("").toLowerCase());
  return Object.keys(palette).filter((letter) => seen.has(letter));
}

export const stockOf = (seat: number) => `stock:${seat + 1}`;

/** How many Pièces of a colour lie somewhere. */
export function count(pieces: string | undefined, colour: string): number {
  return [...(pieces ?? "")].filter((piece) => piece === colour.toUpperCase()).length;
}

export const moveOf = (colour: string, place: string) => `${colour}@${place}`;

/** Everybody's Objectif, `?` where we may not know it. */
export function goalsOf(view: string | undefined): string[] {
  return [...(view?.split(" ").at(-1) ?? "")];
}

/** What a place shows, as a colour: its top Pièce, or the bare Case. */
export function shown(pieces: string | undefined): string {
  return (pieces ?? "").slice(-1).toLowerCase();
}

export interface Tally {
  places: number; // that show the colour
  piles: number; // of them, those with a Pièce
  tallest: number; // in Pièces
}

export function tally(drawing: Drawing, colour: string): Tally {
  const own = placesOf(drawing).filter((place) => shown(drawing[place]) === colour);
  const heights = own.map((place) => drawing[place]!.length - 1);
  return { places: own.length, piles: heights.filter(Boolean).length, tallest: Math.max(0, ...heights) };
}

export type Change = "more" | "less" | null;

/** Whether what lies on a place grows or shrinks by the effects. */
export function changeAt(drawing: Drawing, effects: Effect[] | undefined, place: string): Change {
  if (!effects) return null;
  const before = drawing[place]?.length ?? 0;
  const after = followAll(drawing, effects)[place]?.length ?? 0;
  return after > before ? "more" : after < before ? "less" : null;
}

/** Where an arrow key leads on a grid; the same place at its edge. */
export function stepTo(key: string, at: number, columns: number, size: number): number {
  const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key];
  if (key === "Home") return 0;
  if (key === "End") return size - 1;
  const to = at + (by ?? 0);
  return to < 0 || to >= size ? at : to;
}
