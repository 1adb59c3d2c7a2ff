import { describe, expect, it } from "vitest";
import type { Effect } from "../../lib/types.ts";
import { arrowsOf, coloursOf, neighbour, sideOf, spotOf, squaresOf, startOf } from "./cross.ts";
import { backOn, byColumn, numbersOf, takenBy, visitsOf } from "./moves.ts";

describe("the cross", () => {
  it("has 28 squares for four and 16 for two", () => {
    expect(squaresOf(coloursOf(4), "b")).toHaveLength(28);
    expect(squaresOf(coloursOf(2, "tc"), "t")).toHaveLength(16);
  });

  it("turns everybody's own side to the bottom", () => {
    for (const colour of "btmc") {
      expect(spotOf(startOf(colour), colour).y).toBe(7);
      expect(sideOf(colour, colour)).toBe(0);
    }
    expect(spotOf("a5", "t")).toEqual({ x: 3, y: 7 });
    expect(sideOf("t", "b")).toBe(1);
    expect(sideOf("b", "t")).toBe(3);
  });

  it("has fifteen arrows a colour, none upon another", () => {
    const arrows = arrowsOf([..."btmc"], "b");
    expect(arrows).toHaveLength(60);
    expect(new Set(arrows.map(({ at }) => `${at.x.toFixed(2)},${at.y.toFixed(2)}`)).size).toBe(60);
  });

  it("is walked with the arrow keys", () => {
    const squares = squaresOf([..."btmc"], "b");
    expect(neighbour(squares, "d1", 0, -1, "b")).toBe("d2");
    expect(neighbour(squares, "a5", -1, 0, "b")).toBe("a5");
    expect(neighbour(squares, "c5", 1, 0, "b")).toBe("d5");
  });
});

describe("moves", () => {
  const lift: Effect = ["lift", "e3", "hand", "b", 0];

  it("are sorted by the column they take", () => {
    const columns = byColumn(["d1*1", "d1*2", "e6", "pass"].map((move) => ({ move, effects: [] })));
    expect([...columns].map(([square, moves]) => [square, moves.length])).toEqual([["d1", 2], ["e6", 1], ["pass", 1]]);
  });

  it("number the pyramids along the way, with jumps and homecomings", () => {
    const effects: Effect[] = [
      lift, lift, lift, lift,
      ["drop", "hand", "e2", "t", 1],
      ["jump", null, "e8", null, 0],
      ["arrive", null, "e1", null, 0],
      ["leave", "hand", "e1", "m", 2],
      ["home", "hand", "home:b", "b", 0],
    ];
    expect(takenBy(effects)).toBe(4);
    expect(visitsOf(effects)).toEqual([
      { square: "e2", first: 1, last: 1 },
      { square: "e8", first: 0, last: 0 },
      { square: "e1", first: 2, last: 3 },
    ]);
    expect(visitsOf(effects).map(numbersOf)).toEqual(["1", "", "2–3"]);
  });

  it("bring a gift home on its own arrival square", () => {
    expect(visitsOf([["home", "hand", "home:m", "m", 2]])[0]?.square).toBe("e8");
  });

  it("know where a stray comes back", () => {
    expect(backOn([["stray", "d8", "d5", null, 1], lift])).toBe("d5");
    expect(backOn([lift])).toBeNull();
  });
});
