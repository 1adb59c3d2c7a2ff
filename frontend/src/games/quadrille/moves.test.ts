import { expect, it } from "vitest";
import type { Choice, StepView } from "$core/http/types.ts";
import type { Scene } from "$engine/contract.ts";
import { around, holderOf, meant, phaseOf, prefer, readPlace, squaresOf, steppers } from "./moves.ts";

const seen = (...moves: string[]): Choice[] => moves.map((move) => ({ move, effects: [] }));

it("knows puts, steps and placings by their sign, and their squares", () => {
  expect([seen("@a1"), seen("c3d4"), seen("+b2"), []].map(phaseOf)).toEqual(["put", "step", "place", null]);
  expect(["@a1", "c3d4", "+b2"].map(squaresOf)).toEqual([["a1"], ["c3", "d4"], ["b2"]]);
});

it("knows the pawns that may step", () => {
  expect([...steppers(seen("c3d4", "c3c4", "e5d4"))]).toEqual(["c3", "e5"]);
  expect(steppers(seen("@a1")).size).toBe(0);
});

it("knows the squares around one", () => {
  expect(around("a1")).toEqual(["a2", "b1", "b2"]);
  expect(around("h6")).toEqual(["g5", "g6", "h5"]);
  expect(around("d4")).toHaveLength(8);
});

it("previews the only way to a square, but only takes a pawn up", () => {
  const [one, other] = seen("c3d4", "e5d4");
  expect(prefer([one!], ["d4"])).toBe(one);
  expect(prefer([one!], ["c3"])).toBeNull();
  expect(prefer([one!, other!], ["d4"])).toBeNull();
});

it("asks about the move a tap would mean", () => {
  expect(meant(seen("@a1"), [], "c3")).toBe("@c3");
  expect(meant([], [], "c3")).toBe("@c3");
  expect(meant(seen("+a1"), [], "c3")).toBe("+c3");
  const steps = seen("c3d4", "c3b3", "e5d4", "e5f5");
  expect(meant(steps, ["c3"], "f5")).toBe("c3f5");
  expect(meant(steps, ["c3", "d4"], "f5")).toBe("c3f5");
  expect(meant(steps, [], "a1")).toBe("a1a1");
  expect(meant(steps, ["d4"], "a1")).toBe("a1d4"); // a square first, then no pawn that gets there
  expect(meant(seen("c3d4", "c3b3"), [], "a1")).toBe("c3a1"); // there is only one pawn to mean
});

it("reads what lies on a place", () => {
  expect(readPlace("yrB")).toEqual({ tokens: "yr", pawn: "B" });
  expect(readPlace("")).toEqual({ tokens: "", pawn: "" });
});

it("gives the hand to who moves, to who is given a token, and at the end to who was", () => {
  const steps: StepView[] = [
    {
      move: "+d4",
      effects: [
        ["give", "gift", "hand", "o", 0],
        ["hole", null, "d4", null, null],
      ],
    },
  ];
  const scene = { effect: null, toMove: 1, steps } as unknown as Scene;
  expect(holderOf(scene)).toBe(1);
  expect(holderOf({ ...scene, effect: ["give", "gift", "hand", "o", 0] })).toBe(0);
  expect(holderOf({ ...scene, effect: ["place", "hand", "d4", "r", null] })).toBe(1);
  expect(holderOf({ ...scene, toMove: null })).toBe(0);
  expect(holderOf({ ...scene, toMove: null, steps: [] })).toBeNull();
});
