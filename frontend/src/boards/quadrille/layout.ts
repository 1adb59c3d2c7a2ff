// Where things lie in the picture. A narrow screen gets the board on end: six columns make bigger
// squares than eight.

export interface Point {
  x: number;
  y: number;
}

/** A player's ledge beside the board: whose it is, the colours held, pawns not yet put, a token. */
export interface Ledge extends Point {
  width: number;
  height: number;
  pawn: Point;
  label: Point;
  colours: Point[];
  reserve: Point[];
  slot: Point;
  slotLabel: Point & { anchor: "start" | "end" };
}

export interface Layout {
  width: number;
  height: number;
  text: number; // the size of letters
  board: Point & { width: number; height: number };
  at: Record<string, Point>; // the middle of each square
  grid: Record<string, [number, number]>; // its column and row in the picture
  labels: (Point & { text: string })[];
  ledges: [Ledge, Ledge]; // at the top, at the bottom
}

export const CELL = 54;
const FILES = "abcdefgh";
const RANKS = "123456";
export const SQUARES = [...FILES].flatMap((file) => [...RANKS].map((rank) => file + rank));

const EDGE = 20; // room for the names of files or ranks

export function layoutOf(upright: boolean, bottom: number): Layout {
  const grid = Object.fromEntries(SQUARES.map((square) => [square, cellOf(square, upright, bottom === 1)]));
  const columns = upright ? RANKS.length : FILES.length;
  const rows = upright ? FILES.length : RANKS.length;
  const across = columns * CELL;
  const down = rows * CELL;
  const board = { x: EDGE, y: upright ? STRIP + GAP : RIM, width: across, height: down };
  const at = Object.fromEntries(
    Object.entries(grid).map(([square, [column, row]]) => [
      square,
      { x: board.x + (column + 0.5) * CELL, y: board.y + (row + 0.5) * CELL },
    ]),
  );
  const width = upright ? EDGE + across + 4 : EDGE + across + GAP + COLUMN;
  const low = board.y + down + EDGE + 1;
  return {
    width,
    height: upright ? low + STRIP : low,
    text: upright ? 15 : 13,
    board,
    at,
    grid,
    labels: labelsOf(grid, at, board, columns, rows),
    ledges: upright
      ? [strip(0, width), strip(low, width)]
      : [column(EDGE + across + GAP, 0), column(EDGE + across + GAP, down + 2 * RIM - TALL)],
  };
}

/** Upright is the board turned a quarter: file a comes to lie along the bottom. */
function cellOf(square: string, upright: boolean, turned: boolean): [number, number] {
  const file = FILES.indexOf(square[0]!);
  const rank = RANKS.indexOf(square[1]!);
  const [column, row] = upright ? [5 - rank, 7 - file] : [file, 5 - rank];
  if (!turned) return [column, row];
  return upright ? [5 - column, 7 - row] : [7 - column, 5 - row];
}

function labelsOf(
  grid: Layout["grid"],
  at: Layout["at"],
  board: Layout["board"],
  columns: number,
  rows: number,
): Layout["labels"] {
  const upright = columns < rows;
  return SQUARES.flatMap((square) => {
    const [column, row] = grid[square]!;
    const [file, rank] = [square[0]!, square[1]!];
    const { x, y } = at[square]!;
    const labels = [];
    if (column === 0) labels.push({ x: EDGE / 2 - 1, y, text: upright ? file : rank });
    if (row === rows - 1) labels.push({ x, y: board.y + board.height + EDGE / 2 + 3, text: upright ? rank : file });
    return labels;
  });
}

export const RIM = 3; // of the slab around the squares
const GAP = 8;
const STRIP = 44; // how high a ledge is above or below the board
const COLUMN = 128; // how wide ledges are beside it
const TALL = 152;

function strip(y: number, width: number): Ledge {
  const middle = STRIP / 2;
  return {
    x: 0,
    y,
    width,
    height: STRIP,
    pawn: { x: 22, y: middle },
    label: { x: 42, y: middle },
    colours: [{ x: 122, y: middle }, { x: 158, y: middle }],
    reserve: [{ x: 198, y: middle }, { x: 224, y: middle }],
    slot: { x: width - 24, y: middle },
    slotLabel: { x: width - 48, y: middle, anchor: "end" },
  };
}

function column(x: number, y: number): Ledge {
  return {
    x,
    y,
    width: COLUMN,
    height: TALL,
    pawn: { x: 24, y: 26 },
    label: { x: 44, y: 26 },
    colours: [{ x: 26, y: 70 }, { x: 64, y: 70 }],
    reserve: [{ x: 26, y: 124 }, { x: 54, y: 124 }],
    slot: { x: 26, y: 124 },
    slotLabel: { x: 52, y: 124, anchor: "start" },
  };
}

/** The square next to one in the picture, or itself at the edge. */
export function neighbour(layout: Layout, square: string, key: string): string {
  const [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key] ?? [0, 0];
  const [column, row] = layout.grid[square]!;
  return SQUARES.find((other) => layout.grid[other]![0] === column + dx! && layout.grid[other]![1] === row + dy!) ?? square;
}
