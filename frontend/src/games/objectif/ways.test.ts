import { expect, it } from "vitest";
import { isPlace, placeOf, waysOf } from "./ways.ts";

const ways = waysOf(() => "b");

it("chooses a move by its colour and its place", () => {
  expect(ways.things("o@13")).toEqual(["o", "13"]);
  expect(placeOf("o@13")).toBe("13");
  expect(["o", "13"].map(isPlace)).toEqual([false, true]);
});

it("asks about the move a tap would mean", () => {
  expect(ways.meant(["o"], "3")).toBe("o@3");
  expect(ways.meant(["3"], "o")).toBe("o@3");
  expect(ways.meant(["o", "3"], "4")).toBe("o@4");
  expect(ways.meant([], "o")).toBe("o@1");
  expect(ways.meant([], "3")).toBe("b@3");
});
