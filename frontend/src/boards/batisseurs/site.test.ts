import { expect, test } from "vitest";
import type { MoveView } from "../../lib/types.ts";
import { countOf, faceUsed, movesByPlace, neighbour, settle, SIZE, SPOTS } from "./site.ts";

test("21 places in six rows, all within the picture, the top stone in the middle", () => {
  expect(SPOTS).toHaveLength(21);
  expect(SPOTS.filter(({ row }) => row === "b").map(({ name }) => name)).toEqual(["b1", "b2", "b3", "b4", "b5"]);
  expect(SPOTS.every(({ x, y }) => x > 0 && x < SIZE.width && y > 0 && y < SIZE.height)).toBe(true);
  expect(SPOTS.at(-1)).toMatchObject({ name: "f1", x: SIZE.width / 2 });
});

test("arrow keys lead along the rows and stop at the edges", () => {
  expect(neighbour("a2", "ArrowRight")).toBe("a3");
  expect(neighbour("a6", "ArrowRight")).toBe("a6");
  expect(neighbour("a6", "ArrowUp")).toBe("b5");
  expect(neighbour("b5", "ArrowDown")).toBe("a5");
  expect(neighbour("f1", "ArrowUp")).toBe("f1");
  expect(neighbour("a1", "ArrowDown")).toBe("a1");
});

test("moves are found by what they do", () => {
  const a1: MoveView = { move: "a1", effects: [["use", "dice", null, "a", 0], ["place", null, "1:a1", "o", 0]] };
  const roll: MoveView = { move: "roll", effects: [["gather", "dice", null, "c", 0], ["gather", "dice", null, "f", 0]] };
  expect([...movesByPlace([a1, roll])]).toEqual([["1:a1", a1]]);
  expect(faceUsed(a1)).toBe("a");
  expect(faceUsed(roll)).toBe("");
  expect(countOf(roll.effects, "gather")).toBe(2);
});

test("dice stay where they fell", () => {
  const none = ["", "", "", "", "", ""];
  const thrown = settle(none, "aabcef");
  expect(thrown).toEqual(["a", "a", "b", "c", "e", "f"]);
  expect(settle(thrown, "acef")).toEqual(["a", "", "", "c", "e", "f"]);
  expect(settle(["a", "", "", "c", "e", "f"], "")).toEqual(none);
  expect(settle(["a", "", "", "c", "", ""], "acd")).toEqual(["a", "d", "", "c", "", ""]);
});
