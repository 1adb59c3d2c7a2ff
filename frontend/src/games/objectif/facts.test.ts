import { expect, it } from "vitest";
import { standing } from "./facts.ts";

const FACTS = { goals: ["o", "?"], counts: { o: [3, 2, 1], g: [0, 0, 0] } };

it("tells how a colour stands", () => {
  expect(standing(FACTS, "o", "places")).toBe(3);
  expect(standing(FACTS, "o", "tallest")).toBe(1);
  expect(standing(FACTS, "g", "piles")).toBe(0);
  expect(standing(FACTS, "v", "piles")).toBeNull();
  expect(standing({}, "o", "piles")).toBeNull();
});
