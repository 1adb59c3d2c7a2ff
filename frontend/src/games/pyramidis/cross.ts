// The board as it is printed: a cross of two strips, the way of each colour along them, and where
// a square lies in the picture when somebody's own side is turned to the bottom.

export interface Spot {
  x: number; // the middle of a square, in squares from the left …
  y: number; // … and from the top
}

/** The squares each colour walks, from its start to its arrival. */
export const TRACKS: Record<string, string[]> = {
  b: "d1 d2 d3 d4 d5 d6 d7 d8 e8 e7 e6 e5 e4 e3 e2 e1".split(" "),
  t: "a5 b5 c5 d5 e5 f5 g5 h5 h4 g4 f4 e4 d4 c4 b4 a4".split(" "),
  m: "d8 d7 d6 d5 d4 d3 d2 d1 e1 e2 e3 e4 e5 e6 e7 e8".split(" "),
  c: "h5 g5 f5 e5 d5 c5 b5 a5 a4 b4 c4 d4 e4 f4 g4 h4".split(" "),
};

export const startOf = (colour: string) => TRACKS[colour]?.[0] ?? "";
export const arrivalOf = (colour: string) => TRACKS[colour]?.at(-1) ?? "";

/** Clockwise from the bottom: where each colour sits when brown is at the bottom. */
export const ROUND = "btmc";

/** The board is turned by so many quarters until this colour sits at the bottom; lying, on the left. */
export function turnsOf(bottom: string, lying: boolean): number {
  return (ROUND.indexOf(bottom) + (lying ? 3 : 0)) % 4;
}

/** The squares in play, row by row from the top as they are seen, so that reading goes with the eye. */
export function squaresOf(colours: string[], turns: number): string[] {
  const squares = [...new Set(colours.flatMap((colour) => TRACKS[colour] ?? []))];
  const rank = (square: string) => {
    const { x, y } = spotOf(square, turns);
    return 8 * y + x;
  };
  return squares.sort((one, other) => rank(one) - rank(other));
}

/** Where a square lies when the board is turned. */
export function spotOf(square: string, turns: number): Spot {
  const x = square.charCodeAt(0) - 97;
  const y = 8 - Number(square[1]);
  return turned({ x, y }, turns);
}

/** The middle of a square in the picture, where a square is 100 wide. */
export function middleOf(square: string, turns: number): Spot {
  const { x, y } = spotOf(square, turns);
  return { x: 100 * x + 50, y: 100 * y + 50 };
}

/** A part of the picture. */
export interface Frame extends Spot {
  width: number;
  height: number;
}

/** What of the picture has squares: two players have one strip of it only. */
export function frameOf(players: number, lying: boolean): Frame {
  if (players > 2) return { x: 0, y: 0, width: 800, height: 800 };
  return lying ? { x: 0, y: 300, width: 800, height: 200 } : { x: 300, y: 0, width: 200, height: 800 };
}

const ASIDE = 34; // the hand is held so far beside the middle of a square …
const ABOVE = 42; // … and above it, so that what it leaves there is seen
const HALF = 36; // of what it holds

/** Where the hand is held over a square: all of it in the picture. */
export function handOver({ x, y }: Spot, frame: Frame): Spot {
  const aside = x + ASIDE + HALF > frame.x + frame.width ? -ASIDE : ASIDE;
  return { x: x + aside, y: Math.max(y - ABOVE, frame.y + HALF) };
}

/** Quarter turns against the clock, about the middle of the board. */
function turned({ x, y }: Spot, quarters: number): Spot {
  let spot = { x, y };
  for (let turn = 0; turn < quarters; turn++) spot = { x: spot.y, y: 7 - spot.x };
  return spot;
}

/** The side a colour sits at: 0 below, then clockwise 1 left, 2 above, 3 right. */
export function sideOf(colour: string, bottom: string): number {
  return (ROUND.indexOf(colour) - ROUND.indexOf(bottom) + 4) % 4;
}

export interface Arrow {
  colour: string;
  at: Spot; // on the border of two squares
  degrees: number; // 0 points to the right
}

/** An arrow on every border a colour crosses. Colours that cross the same border stand side by side. */
export function arrowsOf(colours: string[], turns: number): Arrow[] {
  const borders = new Map<string, Arrow[]>();
  for (const colour of colours) {
    const track = (TRACKS[colour] ?? []).map((square) => spotOf(square, turns));
    for (let at = 1; at < track.length; at++) {
      const [from, to] = [track[at - 1]!, track[at]!];
      const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
      const degrees = (Math.atan2(to.y - from.y, to.x - from.x) * 180) / Math.PI;
      const key = `${middle.x},${middle.y}`;
      borders.set(key, [...(borders.get(key) ?? []), { colour, at: middle, degrees }]);
    }
  }
  return [...borders.values()].flatMap(sideBySide);
}

const BESIDE = 0.3; // of a square, between arrows on one border

function sideBySide(arrows: Arrow[]): Arrow[] {
  return arrows.map((arrow, index) => {
    const off = (index - (arrows.length - 1) / 2) * BESIDE;
    const along = arrow.degrees % 180 === 0;
    const at = along ? { x: arrow.at.x, y: arrow.at.y + off } : { x: arrow.at.x + off, y: arrow.at.y };
    return { ...arrow, at };
  });
}
