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
const ROUND = "btmc";

/** The colours in seat order; two players share one strip, whose colours the option `pair` names. */
export function coloursOf(players: number, pair: string | number = "bm"): string[] {
  return [...(players === 2 ? String(pair) : ROUND)];
}

/** The squares in play, row by row from the top as they are seen, so that reading goes with the eye. */
export function squaresOf(colours: string[], bottom: string): string[] {
  const squares = [...new Set(colours.flatMap((colour) => TRACKS[colour] ?? []))];
  const rank = (square: string) => {
    const { x, y } = spotOf(square, bottom);
    return 8 * y + x;
  };
  return squares.sort((one, other) => rank(one) - rank(other));
}

/** Where a square lies when this colour sits at the bottom. */
export function spotOf(square: string, bottom: string): Spot {
  const x = square.charCodeAt(0) - 97;
  const y = 8 - Number(square[1]);
  return turned({ x, y }, ROUND.indexOf(bottom));
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
export function arrowsOf(colours: string[], bottom: string): Arrow[] {
  const borders = new Map<string, Arrow[]>();
  for (const colour of colours) {
    const track = (TRACKS[colour] ?? []).map((square) => spotOf(square, bottom));
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

/** The nearest square in a direction, for the arrow keys; the same one where there is none. */
export function neighbour(squares: string[], square: string, dx: number, dy: number, bottom: string): string {
  const from = spotOf(square, bottom);
  let best = square;
  let least = Infinity;
  for (const other of squares) {
    const to = spotOf(other, bottom);
    const [ahead, aside] = dx ? [(to.x - from.x) * dx, Math.abs(to.y - from.y)] : [(to.y - from.y) * dy, Math.abs(to.x - from.x)];
    const far = ahead + 3 * aside;
    if (ahead > 0 && far < least) [best, least] = [other, far];
  }
  return best;
}
