// Where everything lies in the box that the board is given: one's own pyramid as large as can be, the others
// smaller in the corners that it leaves free, dice and choices below it or beside it.

import { ABOVE, CELL, MARGIN, ROWS, SIZE } from "./site.ts";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Layout {
  own: Box;
  others: Box[]; // in the order of turns
  tray: Box; // of the dice
  across: number; // dice side by side
  choices: Box;
  stacked: boolean; // the choices, one above the other
}

const GAP = 6;
const RATIO = SIZE.width / SIZE.height;

const within = (least: number, wanted: number, most: number) => Math.min(most, Math.max(least, wanted));

/** With room for the choices, or without where nobody chooses. */
export function layoutOf(width: number, height: number, others: number, chosen = true): Layout {
  const below = withControlsBelow(width, height, chosen);
  const beside = withControlsBeside(width, height, chosen);
  const { ground, ...controls } = pyramidIn(below.ground) >= pyramidIn(beside.ground) ? below : beside;
  const own = standingIn(ground);
  return { ...controls, own, others: cornersOf(ground, own, others) };
}

/** A pyramid alone, as large as the box allows. */
export function alone(width: number, height: number): Box {
  const own = standingIn({ x: 0, y: 0, width, height });
  return { ...own, y: own.y / 2 };
}

function withControlsBelow(width: number, height: number, chosen: boolean) {
  const slot = within(46, Math.min((width - 8) / 6, 0.115 * height), 84);
  const tray = { width: Math.min(width, 8 * slot), height: slot + 4 };
  const choices = { width: Math.min(width, 640), height: chosen ? within(60, 0.145 * height, 130) : 0 };
  const top = height - choices.height - GAP;
  const ground = { x: 0, y: 0, width, height: top - tray.height - GAP };
  return {
    ground,
    tray: { ...tray, x: (width - tray.width) / 2, y: top - tray.height },
    across: 6,
    choices: { ...choices, x: (width - choices.width) / 2, y: height - choices.height },
    stacked: false,
  };
}

function withControlsBeside(width: number, height: number, chosen: boolean) {
  const side = within(150, 0.3 * width, 340);
  const slot = within(46, Math.min((side - 8) / 3, 0.16 * height), 104);
  const tray = { width: Math.min(side, 4 * slot), height: 2 * slot + 4 };
  const choices = { width: side, height: chosen ? Math.min(height - tray.height - GAP, 420) : 0 };
  const x = width - side;
  const y = (height - tray.height - GAP - choices.height) / 2;
  return {
    ground: { x: 0, y: 0, width: x - 2 * GAP, height },
    tray: { ...tray, x: x + (side - tray.width) / 2, y },
    across: 3,
    choices: { ...choices, x, y: y + tray.height + GAP },
    stacked: true,
  };
}

const pyramidIn = ({ width, height }: Box) => Math.min(width, height * RATIO);

function standingIn(ground: Box): Box {
  const width = pyramidIn(ground);
  const height = width / RATIO;
  return { x: ground.x + (ground.width - width) / 2, y: ground.y + ground.height - height, width, height };
}

/** Equal boxes as large as can be: in two stacks left and right of the steps of a pyramid, or above it. */
function cornersOf(ground: Box, own: Box, count: number): Box[] {
  if (count === 0) return [];
  const left = Math.ceil(count / 2);
  const stacked = largest(own.width / 2, (width) => width <= roomBeside(ground, own, left * tall(width)));
  const inRow = Math.min((ground.width - (count - 1) * GAP) / count, (own.y - ground.y - GAP) * RATIO);
  if (inRow > stacked) {
    const size = { width: inRow, height: inRow / RATIO };
    const start = ground.x + (ground.width - count * (inRow + GAP) + GAP) / 2;
    return Array.from({ length: count }, (_, at) => ({
      ...size,
      x: start + at * (inRow + GAP),
      y: ground.y,
    }));
  }
  const size = { width: stacked, height: stacked / RATIO };
  return Array.from({ length: count }, (_, at) => {
    const [column, row] = at < left ? [0, at] : [1, at - left];
    return { ...size, x: ground.x + column * (ground.width - stacked), y: ground.y + row * tall(stacked) };
  });
}

const tall = (width: number) => width / RATIO + GAP;

/** How wide it is on either side of a pyramid, from the top of its ground down to some depth. */
function roomBeside(ground: Box, own: Box, depth: number): number {
  const scale = own.width / SIZE.width;
  const above = own.y - ground.y + ABOVE * scale;
  const rows = within(0, Math.ceil((depth - above) / (CELL.height * scale)), ROWS.length);
  if (rows === 0) return (ground.width - GAP) / 2;
  const steps = (MARGIN + ((ROWS.length - rows) / 2) * CELL.width) * scale;
  return (ground.width - own.width) / 2 + steps - GAP;
}

/** The largest number up to some that will do; every smaller one does as well. */
function largest(most: number, fits: (value: number) => boolean): number {
  let [low, high] = [0, most];
  for (let step = 0; step < 12; step++) {
    const middle = (low + high) / 2;
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return low;
}
