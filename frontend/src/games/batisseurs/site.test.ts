import { expect, test } from "vitest";
import { SIZE, SPOTS } from "./site.ts";

test("21 places in six rows, all within the picture, the top stone in the middle", () => {
  expect(SPOTS).toHaveLength(21);
  expect(SPOTS.filter(({ row }) => row === "b").map(({ name }) => name)).toEqual([
    "b1",
    "b2",
    "b3",
    "b4",
    "b5",
  ]);
  expect(SPOTS.every(({ x, y }) => x > 0 && x < SIZE.width && y > 0 && y < SIZE.height)).toBe(true);
  expect(SPOTS.at(-1)).toMatchObject({ name: "f1", x: SIZE.width / 2 });
});
