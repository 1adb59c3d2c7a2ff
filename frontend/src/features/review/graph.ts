// Where things lie in the graph of chances; the same on the page and in a picture that is kept.

/** How a seat's line is told apart, besides its colour. */
export const DASHES = ["", "7 4", "2 4", "10 3 2 3"];
// Signs of about the same weight, around the origin.
export const SIGNS = [
  "M0-5A5 5 0 1 1 0 5A5 5 0 1 1 0-5Z",
  "M-4.500-4.500H4.500V4.500H-4.500Z",
  "M0-5.500L5.500 4.500H-5.500Z",
  "M0-6L6 0L0 6L-6 0Z",
];

export interface Size {
  width: number;
  height: number;
}

/** Everything is in the units of the size. */
export interface Plot extends Size {
  left: number;
  right: number; // where lines end, and labels begin
  top: number;
  bottom: number;
  end: number; // the last moment
}

const TOP = 20; // for the flags of turning points
const BOTTOM = 16; // for what is certain, and the number of the move
const LEFT = 42; // for per cents

export function plotOf({ width, height }: Size, end: number, labels: number): Plot {
  const right = Math.max(LEFT + 1, width - labels);
  return { width, height, left: LEFT, right, top: TOP, bottom: Math.max(TOP + 1, height - BOTTOM), end };
}

export function xOf({ left, right, end }: Plot, at: number): number {
  return left + ((right - left) * at) / Math.max(1, end);
}

export function yOf({ top, bottom }: Plot, chance: number): number {
  return bottom - (bottom - top) * chance;
}

/** The moment nearest to where somebody points. */
export function momentAt({ left, right, end }: Plot, x: number): number {
  const at = Math.round(((x - left) / (right - left)) * end);
  return Math.max(0, Math.min(end, at));
}

/** A seat's line; `chances` are those of every moment, by seat. */
export function lineOf(plot: Plot, chances: readonly (readonly number[])[], seat: number): string {
  return chances
    .map((each, at) => `${at ? "L" : "M"}${round(xOf(plot, at))} ${round(yOf(plot, each[seat] ?? 0))}`)
    .join("");
}

/** Heights of labels, each as near to its own as the others leave it; `gap` apart, within the plot. */
export function apart(wanted: readonly number[], gap: number, low: number, high: number): number[] {
  const order = wanted.map((_, at) => at).sort((a, b) => wanted[a]! - wanted[b]!);
  const found = [...wanted];
  let least = low;
  for (const at of order) {
    found[at] = Math.max(found[at]!, least);
    least = found[at]! + gap;
  }
  let most = high;
  for (const at of order.reverse()) {
    found[at] = Math.min(found[at]!, most);
    most = found[at]! - gap;
  }
  return found;
}

/** Of each turning point, where its moment is and where its number is written: `gap` apart from the others. */
export function flagsOf(plot: Plot, turns: readonly number[], gap: number): { x: number; at: number }[] {
  const xs = turns.map((moment) => xOf(plot, moment));
  const places = apart(xs, gap, plot.left, plot.right);
  return xs.map((x, index) => ({ x: round(x), at: round(places[index]!) }));
}

/** Stretches of moments of which more than an estimate is known, from moment to moment. */
export function stretches(certain: readonly boolean[]): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  certain.forEach((sure, at) => {
    if (!sure) return;
    const last = found.at(-1);
    if (last?.to === at) last.to = at + 1;
    else found.push({ from: at, to: at + 1 });
  });
  return found;
}

/** A name that has to fit: so many characters, the last an ellipsis if there are more. */
export function brief(name: string, most: number): string {
  const letters = [...name];
  return letters.length <= most
    ? name
    : `${letters
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`;
}

const round = (value: number) => Math.round(value * 10) / 10;
