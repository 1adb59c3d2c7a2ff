// The boxes of games, as they stand on the shelf. Tables do without.

import type { Scene } from "./contract.ts";

/** What a game's box shows: a position, as the rules draw it. */
export interface Box {
  colour: string; // of the card
  width: number; // of the board on its front, as a part of it
  players: number;
  options: Scene["options"];
  position: string; // in text, from which the rest is made
  drawing: Scene["drawing"];
  facts: Scene["facts"];
}

const BOXES = import.meta.glob<Box>("../games/*/box.json", { eager: true, import: "default" });

/** The box of a game; null if it has none yet. */
export function boxOf(game: string): Box | null {
  return BOXES[`../games/${game}/box.json`] ?? null;
}
