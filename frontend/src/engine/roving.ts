// Where an arrow key leads: to the nearest thing in that direction, as things lie on the screen.

import { KEYS } from "$core/a11y/shortcuts.ts";

const DIRECTIONS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export const STEPS: ReadonlySet<string> = new Set(KEYS.walk);

const WIDE = 0.75; // what lies further aside than this part of the way ahead …
const ASIDE = 3; // … is so many times further

/** The thing that a key leads to; the same one at the edge. */
export function next<T extends Element>(things: readonly T[], from: T, key: string): T {
  if (key === "Home") return things[0] ?? from;
  if (key === "End") return things.at(-1) ?? from;
  const [dx, dy] = DIRECTIONS[key]!;
  const here = middle(from);
  let best = from;
  let least = Infinity;
  for (const other of things) {
    const there = middle(other);
    const [right, down] = [there.x - here.x, there.y - here.y];
    const ahead = right * dx + down * dy;
    const aside = Math.abs(right * dy + down * dx);
    const far = Math.hypot(ahead, aside) * (aside > WIDE * ahead ? ASIDE : 1);
    if (ahead > 1 && far < least) [best, least] = [other, far];
  }
  return best;
}

function middle(element: Element): { x: number; y: number } {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
