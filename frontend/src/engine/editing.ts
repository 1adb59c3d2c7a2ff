// Setting up a position by hand: a draft of it, as it is drawn and as it is written. A game's `editing.ts` knows how
// its positions are written, and no rule: the server says whether one is possible.

import type { Drawing, Facts } from "$core/http/types.ts";

/** A position that is being set up. */
export interface Draft {
  drawing: Drawing;
  values: Readonly<Record<string, string>>; // what is written besides pieces, by the names of fields
}

/** Something to choose besides pieces. */
export interface Field {
  name: string; // in `values`, or a place whose pieces are counted
  label: string; // the key of its words, which may name a `who`
  kind: "choice" | "number" | "faces";
  who?: number; // the seat it is about …
  whose?: string; // … or the key of the colour that seat plays
  values?: readonly { value: string; words: string; parameters?: Record<string, string | number> }[];
  most?: number;
}

/** Something to put on a place. */
export interface Piece {
  letter: string; // as in a drawing
  words: string; // the key of its name
  colour?: string; // a letter of the palette, if it has one
  mark?: string; // told apart from others of the colour
}

export const REMOVE = ""; // instead of a letter: takes the uppermost piece away

export interface Editing {
  /** A draft of a position that the server has drawn and written. */
  read(text: string, drawing: Drawing): Draft;
  write(draft: Draft): string;
  pieces(draft: Draft): Piece[];
  /** What a tap on a thing of the board does with a piece chosen; `bottom` is the seat at the bottom. */
  put(draft: Draft, thing: string, letter: string, bottom: number): Draft;
  fields(draft: Draft): Field[];
  set(draft: Draft, field: string, value: string): Draft;
  /** What a field says now. */
  get(draft: Draft, field: string): string;
  /** The board without pieces. */
  clear(draft: Draft): Draft;
  /** Whose turn it is, from 0. */
  turn(draft: Draft): number;
  /** What the board shows besides pieces, as far as a draft says it. */
  facts(draft: Draft, before: Facts): Facts;
}

const FOUND = import.meta.glob<Editing>("../games/*/editing.ts", { import: "editing" });

/** How the positions of a game are set up; null if there is none. */
export function editingOf(game: string): (() => Promise<Editing>) | null {
  return FOUND[`../games/${game}/editing.ts`] ?? null;
}

// ---- What several games need

export const withPlace = (draft: Draft, place: string, pieces: string): Draft => ({
  ...draft,
  drawing: { ...draft.drawing, [place]: pieces },
});

export const withValue = (draft: Draft, name: string, value: string): Draft => ({
  ...draft,
  values: { ...draft.values, [name]: value },
});

/** Seats to choose from, by the number that a text has for them. */
export const seats = (players: number) =>
  Array.from({ length: players }, (_, seat) => ({
    value: String(seat + 1),
    words: "seat.number",
    parameters: { n: seat + 1 },
  }));
