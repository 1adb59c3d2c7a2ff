import { describe, expect, test } from "vitest";
import { apart, brief, flagsOf, lineOf, momentAt, plotOf, stretches, xOf, yOf } from "./graph.ts";

const PLOT = plotOf({ width: 400, height: 120 }, 20, 90);

describe("where things lie", () => {
  test("moments go from the left edge to where labels begin, and are found again", () => {
    expect([xOf(PLOT, 0), xOf(PLOT, 20)]).toEqual([PLOT.left, 310]);
    for (const at of [0, 1, 7, 20]) expect(momentAt(PLOT, xOf(PLOT, at))).toBe(at);
    expect([momentAt(PLOT, -50), momentAt(PLOT, 399)]).toEqual([0, 20]);
  });

  test("all is above, nothing below", () => {
    expect([yOf(PLOT, 1), yOf(PLOT, 0)]).toEqual([PLOT.top, PLOT.bottom]);
  });

  test("a game without a move, in a box without room, is drawn all the same", () => {
    const none = plotOf({ width: 10, height: 5 }, 0, 90);
    expect(momentAt(none, 3)).toBe(0);
    expect(lineOf(none, [[0.5, 0.5]], 0)).toMatch(/^M[\d.]+ [\d.]+$/);
  });

  test("a line has a point for every moment", () => {
    const chances = [
      [0.5, 0.5],
      [0.75, 0.25],
    ];
    expect(lineOf(plotOf({ width: 400, height: 136 }, 1, 90), chances, 1)).toBe("M42 70L310 95");
  });
});

test("numbers of turning points that follow each other do not lie on each other", () => {
  for (const turns of [[20, 19, 18], [3, 4, 5], [0, 1, 10], []]) {
    const flags = flagsOf(PLOT, turns, 18);
    expect(flags.map(({ x }) => momentAt(PLOT, x))).toEqual(turns);
    const places = flags.map(({ at }) => at).sort((one, other) => one - other);
    for (let k = 1; k < places.length; k++) expect(places[k]! - places[k - 1]!).toBeGreaterThanOrEqual(17.9);
    for (const at of places) expect(at >= PLOT.left && at <= PLOT.right).toBe(true);
  }
});

describe("labels", () => {
  test("stay where they are if there is room", () => {
    expect(apart([20, 80], 15, 0, 100)).toEqual([20, 80]);
  });

  test("make room for each other, and stay within", () => {
    for (const wanted of [
      [50, 50],
      [99, 98, 97, 100],
      [0, 1, 2, 0],
    ]) {
      const found = apart(wanted, 15, 0, 100);
      const sorted = [...found].sort((a, b) => a - b);
      expect(Math.min(...found)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...found)).toBeLessThanOrEqual(100);
      sorted.slice(1).forEach((each, at) => expect(each - sorted[at]!).toBeGreaterThanOrEqual(15));
    }
  });

  test("are as short as they have to be", () => {
    expect([brief("Ann", 6), brief("Nebuchadnezzar", 6), brief("Anna Bella", 6)]).toEqual([
      "Ann",
      "Nebuc…",
      "Anna…",
    ]);
  });
});

test("what is certain comes in stretches", () => {
  expect(stretches([false, true, true, false, true])).toEqual([
    { from: 1, to: 3 },
    { from: 4, to: 5 },
  ]);
  expect(stretches([])).toEqual([]);
});
