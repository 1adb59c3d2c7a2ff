import { describe, expect, it } from "vitest";
import { CELL, inReadingOrder, layoutOf, SQUARES, type Size } from "./layout.ts";

// What a table leaves for its board on a small phone, phones, a phone on its side, a tablet and a desk.
const SMALL = { width: 288, height: 422 };
const SHORT = { width: 358, height: 446 };
const SIDEWAYS = { width: 560, height: 375 };
const BOXES: Size[] = [
  SMALL,
  SHORT,
  { width: 358, height: 626 },
  SIDEWAYS,
  { width: 736, height: 806 },
  { width: 1033, height: 754 },
];

const scaleOf = (box: Size) => {
  const { width, height } = layoutOf(box, 0);
  return Math.min(box.width / width, box.height / height);
};

function corners(box: Size, bottom: number) {
  const { at } = layoutOf(box, bottom);
  const [a1, h1, a6] = [at.a1!, at.h1!, at.a6!];
  const way = (to: { x: number; y: number }) => [Math.sign(to.x - a1.x), Math.sign(to.y - a1.y)];
  return { h1: way(h1), a6: way(a6) };
}

describe("the layout", () => {
  it("has white's first rank at the bottom, black's at the top", () => {
    expect(corners(SIDEWAYS, 0)).toEqual({ h1: [1, 0], a6: [0, -1] });
    expect(corners(SIDEWAYS, 1)).toEqual({ h1: [-1, 0], a6: [0, 1] });
  });

  it("turns a quarter in an upright box, and mirrors nothing", () => {
    expect(corners(SHORT, 0)).toEqual({ h1: [0, -1], a6: [-1, 0] });
    expect(corners(SHORT, 1)).toEqual({ h1: [0, 1], a6: [1, 0] });
  });

  it.each(BOXES)("has squares to be touched, and uses its box ($width × $height)", (box) => {
    const { width, height } = layoutOf(box, 0);
    const scale = scaleOf(box);
    expect(scale * CELL).toBeGreaterThanOrEqual(44);
    expect((scale * scale * width * height) / (box.width * box.height)).toBeGreaterThan(0.85);
  });

  it.each(BOXES)("keeps everything in the picture ($width × $height)", (box) => {
    const { width, height, at, labels, ledges, slab } = layoutOf(box, 0);
    expect(labels.map(({ text }) => text).sort()).toEqual([..."123456abcdefgh"]);
    expect(SQUARES).toHaveLength(48);
    for (const { x, y } of [...Object.values(at), ...labels]) {
      expect(x > 0 && x < width && y > 0 && y < height).toBe(true);
    }
    for (const ledge of ledges) {
      const [right, low] = [ledge.x + ledge.scale * ledge.width, ledge.y + ledge.scale * ledge.height];
      expect(right <= width + 0.01 && low <= height + 0.01).toBe(true);
      const beside = ledge.x >= slab.x + slab.width;
      expect(beside || low <= slab.y || ledge.y >= slab.y + slab.height).toBe(true);
    }
    const [top, bottom] = ledges;
    expect(top.y + top.scale * top.height).toBeLessThan(bottom.y);
  });

  it("has letters that are no larger than they need be on a large board", () => {
    const [phone, desk] = [SHORT, BOXES.at(-1)!];
    expect(layoutOf(phone, 0).text * scaleOf(phone)).toBeGreaterThan(11);
    expect(layoutOf(desk, 0).text * scaleOf(desk)).toBeCloseTo(18);
  });

  it.each([0, 1])("reads squares row by row as they are seen, from seat %i", (bottom) => {
    for (const box of [
      { width: 370, height: 420 },
      { width: 1000, height: 700 },
    ]) {
      const layout = layoutOf(box, bottom);
      const order = inReadingOrder(layout).map((square) => layout.at[square]!);
      expect(order).toHaveLength(SQUARES.length);
      const isAfter = (at: number) =>
        order[at]!.y > order[at - 1]!.y ||
        (order[at]!.y === order[at - 1]!.y && order[at]!.x > order[at - 1]!.x);
      expect(order.slice(1).every((_, i) => isAfter(i + 1))).toBe(true);
    }
  });
});
