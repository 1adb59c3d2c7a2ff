import { describe, expect, it } from "vitest";
import type { MoveView } from "../../lib/types.ts";
import { choicesOf, coloursOf, meant, pawnsTo, readPlace } from "./moves.ts";

const seen = (...moves: string[]): MoveView[] => moves.map((move) => ({ move, effects: [] }));

describe("choices", () => {
  it("groups steps by pawn", () => {
    const choices = choicesOf(seen("c3d4", "c3c4", "e5d4"));
    expect(choices.phase).toBe("step");
    expect([...choices.steps.keys()]).toEqual(["c3", "e5"]);
    expect(pawnsTo(choices, "d4")).toEqual(["c3", "e5"]);
    expect(choices.direct.size).toBe(0);
  });

  it("knows puts and placings by their sign", () => {
    expect(choicesOf(seen("@a1")).phase).toBe("put");
    expect(choicesOf(seen("+a1", "+b2")).direct.get("b2")?.move).toBe("+b2");
    expect(choicesOf([]).phase).toBe("none");
  });
});

it("asks about the move a tap would mean", () => {
  expect(meant("put", null, "c3")).toBe("@c3");
  expect(meant("place", null, "c3")).toBe("+c3");
  expect(meant("step", "c3", "d4")).toBe("c3d4");
  expect(meant("step", null, "d4")).toBe("d4d4");
});

it("reads what lies on a place", () => {
  expect(readPlace("yrB")).toEqual({ tokens: "yr", pawn: "B" });
  expect(readPlace("")).toEqual({ tokens: "", pawn: "" });
});

it("finds the colours under a seat's pawns", () => {
  const drawing = { a1: "byW", b2: "yW", c3: "rB", d4: "o" };
  expect(coloursOf(drawing, Object.keys(drawing), 0)).toEqual(["y"]);
  expect(coloursOf(drawing, Object.keys(drawing), 1)).toEqual(["r"]);
});
