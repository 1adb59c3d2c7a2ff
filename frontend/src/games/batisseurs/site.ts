// Where the places of a pyramid lie.

export const ROWS = "abcdef"; // bottom to top; the row of a place is the colour of its block

export const CELL = { width: 56, height: 52 };
export const MARGIN = 4; // on both sides
export const ABOVE = 8;
export const GROUND = ABOVE + ROWS.length * CELL.height;
export const SIZE = { width: 2 * MARGIN + ROWS.length * CELL.width, height: GROUND + 14 };

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

/** The place itself, whoever's it is. */
export const nameOf = (place: string) => place.split(":").pop()!;

export const seatOf = (place: string) => Number(place.split(":")[0]) - 1;
