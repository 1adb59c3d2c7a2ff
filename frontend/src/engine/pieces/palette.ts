// The colours of pieces, each with a sign of its own: colour is never the only difference.

export interface Colour {
  fill: string;
  ink: string; // for what is drawn on it
  sign: string;
}

type Palette = Record<string, Colour>;

const PALETTES = import.meta.glob<Palette>("../../games/*/palette.json", { eager: true, import: "default" });

/** The colours of a game's pieces, by letter; none if it has no palette. */
export function paletteOf(game: string): Palette {
  return PALETTES[`../../games/${game}/palette.json`] ?? {};
}

// Signs in a box of 20 × 20 around the origin.
const SIGNS: Record<string, string> = {
  circle: "M0-7A7 7 0 1 1 0 7A7 7 0 1 1 0-7Z",
  triangle: "M0-8L8 6H-8Z",
  square: "M-6.5-6.5H6.5V6.5H-6.5Z",
  diamond: "M0-9L7 0L0 9L-7 0Z",
  star: "M0-9L2.6-3.2L8.8-2.6L4.2 1.6L5.5 7.8L0 4.6L-5.5 7.8L-4.2 1.6L-8.8-2.6L-2.6-3.2Z",
  heart: "M0 8C-10 1-8-7-4-7C-1.5-7 0-5 0-3.500C0-5 1.500-7 4-7C8-7 10 1 0 8Z",
  wings: "M0 2L-9-5C-9 0-7 5 0 6C7 5 9 0 9-5Z",
  scarab: "M0-7A4 4 0 0 1 4-3L7-5V-1L5 0L7 4L4 3A5 5 0 0 1-4 3L-7 4L-5 0L-7-1V-5L-4-3A4 4 0 0 1 0-7Z",
  jackal: "M-5-9L-2-3H2L5-9L5.500 0L2 8H-2L-5.500 0Z",
  needle: "M0-9L3.5-3L5 5H7V8H-7V5H-5L-3.5-3Z",
  pawn: "M0-9A4 4 0 0 1 2.500-2L5 8H-5L-2.500-2A4 4 0 0 1 0-9Z",
  eye: "M-9 0C-5-6 5-6 9 0C5 6-5 6-9 0ZM0-3A3 3 0 1 0 0 3A3 3 0 1 0 0-3Z",
};

export function signOf(name: string): string {
  return SIGNS[name] ?? "";
}
