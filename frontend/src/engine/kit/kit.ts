// A game's kit to print: its paper, its colours, and what a kit of a game is given to draw with.

import type { Component } from "svelte";
import type { Colour } from "$engine/pieces/palette.ts";

export const PAPERS = {
  a4: { width: 210, height: 297 },
  letter: { width: 215.9, height: 279.4 },
} as const; // mm

export type Paper = keyof typeof PAPERS;
export type Palette = Record<string, Colour>;

export interface Section {
  title: string;
  lines: string[];
  numbered?: boolean;
  picture?: string; // which of the kit's pictures stands below
}

/** What is said in a kit, beside each board in `kit/LANGUAGE.json`. */
export interface Book {
  pages: Section[][]; // the rules
  sheets: Record<string, string>; // what to do with each sheet to cut
  words: Record<string, string>; // that stand on the sheets
  signs: Record<string, string>; // the colours by name: without colour, a sign is all there is
}

export interface Kit {
  game: string;
  title: string;
  by: string[]; // whom it is owed to
  paper: Paper;
  palette: Palette;
  book: Book;
}

export type KitProps = { kit: Kit };

const KITS = import.meta.glob<{ default: Component<KitProps> }>("../../games/*/Kit.svelte");
const BOOKS = import.meta.glob<Book>("../../games/*/kit/*.json", { import: "default" });

/** The sheets of a game, and the words on them; null if it has none. */
export function kitOf(game: string, language: string) {
  const sheets = KITS[`../../games/${game}/Kit.svelte`];
  const book = BOOKS[`../../games/${game}/kit/${language}.json`];
  if (!sheets || !book) return null;
  return async () => ({ Sheets: (await sheets()).default, book: await book() });
}

/** The file of a kit, as the server has it. */
export function fileOf(game: string, language: string, paper: Paper, plain: boolean): string {
  return `${game}-${language}-${paper}${plain ? "-bw" : ""}.pdf`;
}

/** The same colours for a printer that has none: greys far apart, the lightest for the lightest. */
export function greyed(palette: Palette): Palette {
  const letters = Object.keys(palette);
  const byLight = letters.toSorted((a, b) => light(palette[b]!.fill) - light(palette[a]!.fill));
  return Object.fromEntries(
    letters.map((letter) => {
      const level = Math.round(255 - (byLight.indexOf(letter) * 195) / Math.max(1, letters.length - 1));
      const fill = `#${level.toString(16).padStart(2, "0").repeat(3)}`;
      return [letter, { ...palette[letter]!, fill, ink: level > 130 ? "#000000" : "#ffffff" }];
    }),
  );
}

function light(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16)) as [number, number, number];
  return 0.3 * r + 0.59 * g + 0.11 * b;
}
