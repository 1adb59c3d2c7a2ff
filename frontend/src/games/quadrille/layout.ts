// Where things lie in the picture. The board lies or stands on end, with the players' ledges beside it or
// above and below, whichever makes the biggest squares in the box it is given.

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export type Area = Point & Size;
export type Label = Point & { anchor: "start" | "middle" | "end" };

/** A player's ledge: whose it is, the colours of the floor, pawns not yet put, a token. */
export interface Ledge extends Area {
  scale: number; // of all that lies on it
  pawn: Point;
  label: Label;
  colours: Point[];
  reserve: Point[];
  slot: Point;
  slotLabel: Label;
}

export interface Layout extends Size {
  text: number; // the size of letters
  slab: Area; // that the squares are cut into
  at: Record<string, Point>; // the middle of each square
  labels: (Point & { text: string })[];
  ledges: [Ledge, Ledge]; // at the top, at the bottom
}

export const CELL = 54;
const FILES = "abcdefgh";
const RANKS = "123456";
export const SQUARES = [...FILES].flatMap((file) => [...RANKS].map((rank) => file + rank));

const RIM = 3; // of the slab around the squares
const NAMES = 14; // room for the names of files or ranks, to the left and below
const GAP = 5; // between the board and ledges beside it
const STRIP = 31; // how high a ledge is above or below the board
const LONG = 296; // and how long at least
const COLUMN = { width: 62, height: 158 }; // a ledge beside it
const LARGEST = 1.4; // how much ledges grow where there is room
const TEXT = 13;
const LARGE_TEXT = 18; // px: with a large board letters need not grow as it does

interface Arrangement {
  upright: boolean;
  beside: boolean; // where the ledges are
}

const ARRANGEMENTS: Arrangement[] = [
  { upright: true, beside: false },
  { upright: true, beside: true },
  { upright: false, beside: true },
  { upright: false, beside: false },
];

/** Everything as it lies in a box, measured in px, with a seat's side at the bottom. */
export function layoutOf(box: Size, bottom: number): Layout {
  const scales = ARRANGEMENTS.map((each) => fitting(box, sizeOf(each)));
  const scale = Math.max(...scales);
  const { upright, beside } = ARRANGEMENTS[scales.indexOf(scale)]!;
  const least = sizeOf({ upright, beside });
  const spare = {
    width: scale && box.width / scale - least.width,
    height: scale && box.height / scale - least.height,
  };
  const { slab, ledges, ...size } = beside ? besides(upright, spare.width) : stacked(upright, spare.height);
  const grid = gridOf(upright, bottom === 1);
  return {
    ...size,
    text: Math.min(TEXT, LARGE_TEXT / scale),
    slab,
    ledges,
    at: Object.fromEntries(SQUARES.map((square) => [square, middleOf(grid[square]!, slab)])),
    labels: labelsOf(grid, slab, upright),
  };
}

/** The squares as they are read: row by row from the top, each from the left. */
export function inReadingOrder({ at }: Pick<Layout, "at">): string[] {
  return [...SQUARES].sort((a, b) => at[a]!.y - at[b]!.y || at[a]!.x - at[b]!.x);
}

// ---- The ways to arrange it

type Arranged = Size & Pick<Layout, "slab" | "ledges">;

function slabSize(upright: boolean): Size {
  const [short, long] = [RANKS.length * CELL + 2 * RIM, FILES.length * CELL + 2 * RIM];
  return upright ? { width: short, height: long } : { width: long, height: short };
}

/** How much room it takes at least, so that nothing is too small to be read. */
function sizeOf({ upright, beside }: Arrangement): Size {
  return beside ? besides(upright, 0) : stacked(upright, 0);
}

function fitting(box: Size, { width, height }: Size): number {
  return Math.min(box.width / width, box.height / height);
}

/** Ledges to the right of the board, as wide as there is room to spare. */
function besides(upright: boolean, spare: number): Arranged {
  const slab = { x: NAMES, y: 0, ...slabSize(upright) };
  const x = slab.x + slab.width + GAP;
  const scale = Math.min(
    LARGEST,
    1 + spare / COLUMN.width,
    (slab.height - GAP) / 2 / COLUMN.height, // one above the other
  );
  return {
    width: x + scale * COLUMN.width,
    height: slab.height + NAMES,
    slab,
    ledges: [column(x, 0, scale), column(x, slab.height - scale * COLUMN.height, scale)],
  };
}

/** Ledges above and below the board, as high as there is room to spare. */
function stacked(upright: boolean, spare: number): Arranged {
  const size = slabSize(upright);
  const width = NAMES + size.width + 2;
  const scale = Math.min(LARGEST, 1 + spare / 2 / STRIP, width / LONG);
  const slab = { x: NAMES, y: scale * STRIP + 1, ...size };
  const low = slab.y + slab.height + NAMES;
  return {
    width,
    height: low + scale * STRIP,
    slab,
    ledges: [strip(0, width, scale), strip(low, width, scale)],
  };
}

// ---- Squares

type Grid = Record<string, [number, number]>; // column and row of each square in the picture

/** Upright is the board turned a quarter: file a comes to lie along the bottom. */
function gridOf(upright: boolean, turned: boolean): Grid {
  return Object.fromEntries(
    SQUARES.map((square) => {
      const [file, rank] = [FILES.indexOf(square[0]!), RANKS.indexOf(square[1]!)];
      const [column, row] = upright ? [5 - rank, 7 - file] : [file, 5 - rank];
      if (!turned) return [square, [column, row]];
      return [square, upright ? [5 - column, 7 - row] : [7 - column, 5 - row]];
    }),
  );
}

function middleOf([column, row]: [number, number], { x, y }: Point): Point {
  return { x: x + RIM + (column + 0.5) * CELL, y: y + RIM + (row + 0.5) * CELL };
}

function labelsOf(grid: Grid, slab: Area, upright: boolean): Layout["labels"] {
  return SQUARES.flatMap((square) => {
    const [column, row] = grid[square]!;
    const { x, y } = middleOf([column, row], slab);
    const [left, below] = upright ? [square[0]!, square[1]!] : [square[1]!, square[0]!];
    const labels = [];
    if (column === 0) labels.push({ x: NAMES / 2, y, text: left });
    if (row === (upright ? 7 : 5)) labels.push({ x, y: slab.y + slab.height + NAMES / 2 + 1, text: below });
    return labels;
  });
}

// ---- Ledges

function strip(y: number, width: number, scale: number): Ledge {
  const [middle, right] = [STRIP / 2, width / scale];
  return {
    x: 0,
    y,
    width: right,
    height: STRIP,
    scale,
    pawn: { x: 17, y: middle },
    label: { x: 34, y: middle, anchor: "start" },
    colours: [0, 1, 2, 3].map((at) => ({ x: 102 + 29 * at, y: middle })),
    reserve: [
      { x: right - 42, y: middle },
      { x: right - 18, y: middle },
    ],
    slot: { x: right - 18, y: middle },
    slotLabel: { x: right - 37, y: middle, anchor: "end" },
  };
}

function column(x: number, y: number, scale: number): Ledge {
  const middle = COLUMN.width / 2;
  return {
    x,
    y,
    ...COLUMN,
    scale,
    pawn: { x: middle, y: 18 },
    label: { x: middle, y: 43, anchor: "middle" },
    colours: [0, 1, 2, 3].map((at) => ({ x: middle + (at % 2 ? 14 : -14), y: at < 2 ? 66 : 94 })),
    reserve: [
      { x: middle - 12, y: 127 },
      { x: middle + 12, y: 127 },
    ],
    slot: { x: middle, y: 126 },
    slotLabel: { x: middle, y: 151, anchor: "middle" },
  };
}
