import { expect, test } from "vitest";
import { alone, layoutOf, type Box, type Layout } from "./layout.ts";
import { CELL, SIZE, SPOTS } from "./site.ts";

// What the page leaves for the board on phones upright and sideways, a tablet and a desk.
const BOXES = [
  [376, 446],
  [376, 626],
  [306, 422],
  [586, 374],
  [752, 806],
  [1046, 756],
] as const;
const LEAST = 44; // px of whatever is tapped

const everything = ({ own, others, tray, choices }: Layout) => [own, ...others, tray, choices];

function overlap(one: Box, other: Box): boolean {
  const apart =
    one.x + one.width <= other.x ||
    other.x + other.width <= one.x ||
    one.y + one.height <= other.y ||
    other.y + other.height <= one.y;
  return !apart;
}

/** The places of one's own pyramid, in the box. */
function places({ own }: Layout): Box[] {
  const scale = own.width / SIZE.width;
  const [width, height] = [CELL.width * scale, CELL.height * scale];
  return SPOTS.map(({ x, y }) => ({
    x: own.x + x * scale - width / 2,
    y: own.y + y * scale - height / 2,
    width,
    height,
  }));
}

test.each(BOXES.flatMap(([width, height]) => [1, 2, 3].map((others) => ({ width, height, others }))))(
  "everything has its room in $width × $height, with $others others",
  ({ width, height, others }) => {
    const layout = layoutOf(width, height, others);
    expect(layout.others).toHaveLength(others);
    for (const box of everything(layout)) {
      expect(Math.min(box.x, box.y)).toBeGreaterThanOrEqual(-0.01);
      expect(box.x + box.width).toBeLessThanOrEqual(width + 0.01);
      expect(box.y + box.height).toBeLessThanOrEqual(height + 0.01);
    }
    const beside = [...layout.others, layout.tray, layout.choices];
    for (const [at, one] of beside.entries())
      for (const other of [...places(layout), ...beside.slice(at + 1)])
        expect(overlap(one, other), JSON.stringify([one, other])).toBe(false);
    expect(Math.min(places(layout)[0]!.width, places(layout)[0]!.height)).toBeGreaterThanOrEqual(LEAST);
    expect((layout.tray.width - 8) / layout.across).toBeGreaterThanOrEqual(LEAST);
    expect(layout.choices.height / (layout.stacked ? 2 : 1)).toBeGreaterThanOrEqual(LEAST);
    expect(layout.others[0]!.width).toBeGreaterThanOrEqual(layout.own.width / 5);
    expect(layout.others[0]!.width).toBeLessThanOrEqual(layout.own.width / 2);
  },
);

test("a low and wide box has dice and choices beside the pyramid", () => {
  expect(BOXES.map(([width, height]) => layoutOf(width, height, 1).stacked)).toEqual([
    false,
    false,
    false,
    true,
    false,
    true,
  ]);
});

test("a pyramid alone is in the middle of its box", () => {
  const { x, y, width, height } = alone(400, 200);
  expect([y, height]).toEqual([0, 200]);
  expect(2 * x + width).toBeCloseTo(400);
  expect(alone(100, 300)).toMatchObject({ x: 0, width: 100 });
  expect(2 * alone(100, 300).y + alone(100, 300).height).toBeCloseTo(300);
});
