import { describe, expect, it } from "vitest";
import type { Drawing, Effect } from "../../lib/types.ts";
import { changeAt, coloursOf, count, goalsOf, placesOf, shown, stepTo, tally } from "./reading.ts";

const drawing: Drawing = { "10": "g", "1": "oBG", "2": "gO", "3": "bO", "4": "o", "stock:1": "OOB", "stock:2": "" };
const palette = { o: 0, g: 0, b: 0, p: 0 };

describe("a drawing of objectif", () => {
  it("has its places in the order of their numbers, without the stocks", () => {
    expect(placesOf(drawing)).toEqual(["1", "2", "3", "4", "10"]);
  });

  it("has the colours of its pieces, in the palette's order", () => {
    expect(coloursOf(drawing, palette)).toEqual(["o", "g", "b"]);
  });

  it("counts Pièces and not Cases", () => {
    expect(count(drawing["stock:1"], "o")).toBe(2);
    expect(count("oBO", "o")).toBe(1);
    expect(count(undefined, "o")).toBe(0);
  });

  it("tells what a place shows", () => {
    expect(shown("oBG")).toBe("g");
    expect(shown("o")).toBe("o");
  });

  it("is counted for a colour: places, Piles, the tallest", () => {
    expect(tally(drawing, "o")).toEqual({ places: 3, piles: 2, tallest: 1 });
    expect(tally(drawing, "g")).toEqual({ places: 2, piles: 1, tallest: 2 });
    expect(tally(drawing, "p")).toEqual({ places: 0, piles: 0, tallest: 0 });
  });
});

describe("a move", () => {
  const cover: Effect[] = [["cover", "stock:1", "2", "B", 0]];
  const cancel: Effect[] = [
    ["cancel", "stock:1", null, "O", 0],
    ["cancel", "2", null, "O", null],
  ];

  it("makes a pile higher or lower, as its effects say", () => {
    expect(changeAt(drawing, cover, "2")).toBe("more");
    expect(changeAt(drawing, cancel, "2")).toBe("less");
    expect(changeAt(drawing, cancel, "3")).toBeNull();
    expect(changeAt(drawing, undefined, "2")).toBeNull();
  });
});

describe("the Objectifs", () => {
  it("are the last part of a view", () => {
    expect(goalsOf("o/g OO|- 1 o?")).toEqual(["o", "?"]);
    expect(goalsOf(undefined)).toEqual([]);
  });
});

describe("an arrow key", () => {
  it("leads to the neighbour, and nowhere at the edge", () => {
    expect(stepTo("ArrowRight", 3, 4, 16)).toBe(4);
    expect(stepTo("ArrowDown", 3, 4, 16)).toBe(7);
    expect(stepTo("ArrowUp", 3, 4, 16)).toBe(3);
    expect(stepTo("ArrowDown", 14, 4, 16)).toBe(14);
    expect(stepTo("End", 3, 4, 16)).toBe(15);
  });
});
