import { expect, test } from "vitest";
import type { Choice } from "$core/http/types.ts";
import { countOf, thingsOf, waysOf } from "./moves.ts";

function block(move: string): Choice {
  return {
    move,
    effects: [
      ["use", "dice", null, move[0]!, 0],
      ["place", null, `1:${move}`, "o", 0],
    ],
  };
}

const roll: Choice = {
  move: "roll",
  effects: [
    ["gather", "dice", null, "c", 0],
    ["gather", "dice", null, "f", 0],
  ],
};

const drawing = { "1:a1": "x", "1:a2": "", "1:a3": "", "1:b1": "", "1:f1": "" };
const moves = [block("a2"), block("a3"), block("b1"), roll];
const ways = waysOf(() => ({ moves, drawing, seat: 0 }));

test("a block is chosen by its place or by its die, the rest by its button", () => {
  expect(moves.map(thingsOf)).toEqual([["1:a2", "face:a"], ["1:a3", "face:a"], ["1:b1", "face:b"], ["roll"]]);
  expect(moves.map(({ move }) => ways.things(move))).toEqual(moves.map(thingsOf));
  expect(countOf(roll.effects, "gather")).toBe(2);
});

test("a die with one place, and a place with its die, need no second tap to be shown", () => {
  expect(ways.prefer!([moves[2]!], ["face:b"])).toBe(moves[2]);
  expect(ways.prefer!(moves.slice(0, 2), ["face:a"])).toBeNull();
});

test("what somebody means by a place, a button, or a die that fits or does not", () => {
  expect(ways.meant([], "1:c1")).toBe("c1");
  expect(ways.meant(["face:a"], "stop")).toBe("stop");
  expect(ways.meant(["1:b1"], "face:a")).toBe("a2");
  expect(ways.meant([], "face:f")).toBe("f1");
  const full = waysOf(() => ({ moves: [], drawing: { "1:a1": "x", "1:f1": "o" }, seat: 0 }));
  expect(full.meant([], "face:a")).toBe("a2");
  expect(full.meant([], "face:f")).toBeNull(); // nothing is left to place
});
