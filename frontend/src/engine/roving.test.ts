import { expect, test } from "vitest";
import { next } from "./roving.ts";

/** Things of a size of 10, by their middles. */
const lying = (...spots: [string, number, number][]) =>
  spots.map(
    ([name, x, y]) =>
      ({ name, getBoundingClientRect: () => new Box(x - 5, y - 5) }) as unknown as Element & { name: string },
  );

class Box {
  width = 10;
  height = 10;
  constructor(
    readonly left: number,
    readonly top: number,
  ) {}
}

function walk(things: (Element & { name: string })[], from: string, key: string): string {
  return next(
    things,
    things.find(({ name }) => name === from)!,
    key,
  ).name;
}

test("along a grid, and no further than its edge", () => {
  const grid = lying(["a", 0, 0], ["b", 10, 0], ["c", 0, 10], ["d", 10, 10]);
  expect(walk(grid, "a", "ArrowRight")).toBe("b");
  expect(walk(grid, "a", "ArrowDown")).toBe("c");
  expect(walk(grid, "d", "ArrowLeft")).toBe("c");
  expect(walk(grid, "d", "ArrowRight")).toBe("d");
  expect([walk(grid, "c", "Home"), walk(grid, "c", "End")]).toEqual(["a", "d"]);
});

test("up a pyramid, whose rows lie between one another", () => {
  const pyramid = lying(
    ["a1", 0, 20],
    ["a2", 10, 20],
    ["a3", 20, 20],
    ["b1", 5, 12],
    ["b2", 15, 12],
    ["c1", 10, 4],
  );
  expect(walk(pyramid, "a2", "ArrowUp")).toBe("b1"); // and not c1, which lies straight above
  expect(walk(pyramid, "b2", "ArrowUp")).toBe("c1");
  expect(walk(pyramid, "c1", "ArrowDown")).toBe("b1");
  expect(walk(pyramid, "b1", "ArrowRight")).toBe("b2");
});

test("across the gap of a cross", () => {
  const cross = lying(["top", 0, 0], ["left", -30, 30], ["right", 30, 30], ["bottom", 0, 60]);
  expect(walk(cross, "left", "ArrowRight")).toBe("right");
  expect(walk(cross, "top", "ArrowDown")).toBe("bottom");
});
