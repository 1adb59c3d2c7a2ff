import { expect, it } from "vitest";
import { goalsOf } from "./facts.ts";

it("tells the goals as far as they are known", () => {
  expect(goalsOf({ goals: ["o", "?"] })).toEqual(["o", "?"]);
  expect(goalsOf({})).toEqual([]);
});
