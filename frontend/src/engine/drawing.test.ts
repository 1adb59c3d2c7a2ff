import { expect, test } from "vitest";
import { applyEffect, applyAll, touchedPlaces } from "./drawing.ts";
import type { Effect } from "$core/http/types.ts";

test("a piece leaves one place and lands on top of another", () => {
  expect(applyEffect({ a: "xyx", b: "z" }, ["drop", "a", "b", "x", 0])).toEqual({ a: "xy", b: "zx" });
});

test("the topmost of its kind is the one that leaves", () => {
  expect(applyEffect({ a: "xyz" }, ["lose", "a", null, "x", 0])).toEqual({ a: "yz" });
});

test("from a place to itself a piece is turned over", () => {
  expect(applyEffect({ a: "wo" }, ["win", "a", "a", "x", 0])).toEqual({ a: "wx" });
});

test("a step without a piece moves nothing, and no drawing is changed in place", () => {
  const before = { a: "x", b: "" };
  expect(applyEffect(before, ["jump", null, "a", null, 0])).toBe(before);
  const effects: Effect[] = [
    ["lift", "a", "b", "x", 0],
    ["hole", null, "a", null, null],
  ];
  expect(applyAll(before, effects)).toEqual({ a: "", b: "x" });
  expect(before).toEqual({ a: "x", b: "" });
  expect(touchedPlaces(effects)).toEqual(new Set(["a", "b"]));
});
