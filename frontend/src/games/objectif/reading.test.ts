import { describe, expect, it } from "vitest";
import type { Drawing, Effect } from "$core/http/types.ts";
import { changeAt, coloursOf, count, placesOf, showing, shown } from "./reading.ts";

const drawing: Drawing = {
  "10": "g",
  "1": "oBG",
  "2": "gO",
  "3": "bO",
  "4": "o",
  "stock:1": "OOB",
  "stock:2": "",
};
const palette = { o: 0, g: 0, b: 0, p: 0 };

describe("a drawing of objectif", () => {
  it("has its places in the order of their numbers, without the stocks", () => {
    expect(placesOf(drawing)).toEqual(["1", "2", "3", "4", "10"]);
  });

  it("has the colours of its pieces, in the palette's order", () => {
    expect(coloursOf(drawing, palette)).toEqual(["o", "g", "b"]);
  });

  it("counts pieces and not bases", () => {
    expect(count(drawing["stock:1"], "o")).toBe(2);
    expect(count("oBO", "o")).toBe(1);
    expect(count(undefined, "o")).toBe(0);
  });

  it("tells what a place shows", () => {
    expect(shown("oBG")).toBe("g");
    expect(shown("o")).toBe("o");
  });

  it("tells how many places show a colour", () => {
    expect(["o", "g", "p"].map((colour) => showing(drawing, colour))).toEqual([3, 2, 0]);
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
