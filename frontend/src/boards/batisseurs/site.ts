// Where the places of a pyramid lie, which moves lead there, and which dice lie where.

import type { Effect, MoveView } from "../../lib/types.ts";

export const ROWS = "abcdef"; // bottom to top; the row of a place is the colour of its block
export const DICE = 6;

export const CELL = { width: 56, height: 47 };
export const MARGIN = 8; // on both sides
const ABOVE = 14; // for the light over the top stone
export const GROUND = ABOVE + ROWS.length * CELL.height;
export const SIZE = { width: 2 * MARGIN + ROWS.length * CELL.width, height: GROUND + 18 };

export interface Spot {
  name: string;
  row: string;
  x: number; // of its centre
  y: number;
}

export const SPOTS: Spot[] = [...ROWS].flatMap((row, level) =>
  Array.from({ length: ROWS.length - level }, (_, at) => ({
    name: `${row}${at + 1}`,
    row,
    x: MARGIN + (at + (level + 1) / 2) * CELL.width,
    y: GROUND - (level + 0.5) * CELL.height,
  })),
);

/** The key of a place in a drawing. */
export const placeOf = (seat: number, name: string) => `${seat + 1}:${name}`;

export const seatOf = (place: string) => Number(place.split(":")[0]) - 1;

/** Where an arrow key leads from a place; the place itself at an edge. */
export function neighbour(name: string, key: string): string {
  const level = ROWS.indexOf(name[0]!);
  const at = Number(name.slice(1)) - 1;
  const [row, column] = {
    ArrowLeft: [level, at - 1],
    ArrowRight: [level, at + 1],
    ArrowUp: [level + 1, Math.min(at, ROWS.length - level - 2)],
    ArrowDown: [level - 1, at],
  }[key] ?? [level, at];
  const there = `${ROWS[row!]}${column! + 1}`;
  return SPOTS.some((spot) => spot.name === there) ? there : name;
}

/** Each place a block can be put on, with the move that puts it there. */
export function movesByPlace(legal: MoveView[]): Map<string, MoveView> {
  const found = new Map<string, MoveView>();
  for (const seen of legal) {
    const target = seen.effects.find(([kind]) => kind === "place")?.[2];
    if (target) found.set(target, seen);
  }
  return found;
}

/** The face of the die a move uses. */
export function faceUsed({ effects }: MoveView): string {
  return effects.find(([kind]) => kind === "use")?.[3] ?? "";
}

/** How many pieces a move touches in one way: the dice it gathers, the blocks it wins. */
export function countOf(effects: Effect[], wanted: string): number {
  return effects.filter(([kind]) => kind === wanted).length;
}

/** The dice stay where they fell: who is no longer there leaves a gap, a new one takes the first. */
export function settle(slots: readonly string[], dice: string): string[] {
  const left = [...dice];
  const settled = slots.map((face) => {
    const at = face === "" ? -1 : left.indexOf(face);
    return at < 0 ? "" : left.splice(at, 1)[0]!;
  });
  for (const face of left) settled[settled.indexOf("")] = face;
  return settled;
}
