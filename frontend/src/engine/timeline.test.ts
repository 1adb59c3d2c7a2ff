import { expect, test } from "vitest";
import type { StepView } from "$core/http/types.ts";
import { Timeline } from "./timeline.ts";

const STEPS: StepView[] = [
  { seat: 0, move: "roll", effects: [] },
  { move: "=ab", effects: [["throw", null, "dice", "a", null]] },
  { seat: 0, move: "a1", effects: [["place", "dice", "1:a1", "a", 0]], facts: { built: 1 } },
  { seat: 1, move: "roll", effects: [] },
];
const START = { dice: "", "1:a1": "" };
const timeline = Timeline.of({ start: START, facts: { built: 0 }, steps: STEPS });

test("what there was to see at every moment", () => {
  expect([0, 1, 2, 3, 4].map((at) => timeline.drawingAt(at))).toEqual([
    { dice: "", "1:a1": "" },
    { dice: "", "1:a1": "" },
    { dice: "a", "1:a1": "" },
    { dice: "", "1:a1": "a" },
    { dice: "", "1:a1": "a" },
  ]);
  expect([0, 2, 3, 4].map((at) => timeline.factsAt(at).built)).toEqual([0, 0, 1, 1]);
  expect([...timeline.marksAt(3)]).toEqual(["dice", "1:a1"]);
  expect(timeline.marksAt(0).size).toBe(0);
});

test("who was to move, also while the dice were in the air", () => {
  expect([0, 1, 2, 3, 4].map((at) => timeline.moverAt(at))).toEqual([0, 0, 0, 1, null]);
});

test("a step more, and steps taken back, leave the others as they were", () => {
  const back = timeline.upTo(2);
  expect([back.end, timeline.end]).toEqual([2, 4]);
  const other = back.after({ seat: 0, move: "stop", effects: [["lose", "dice", null, "a", 0]] });
  expect(other.drawingAt(3)).toEqual({ dice: "", "1:a1": "" });
  expect(timeline.drawingAt(3)).toEqual({ dice: "", "1:a1": "a" });
  expect([other.agrees(["roll", "=ab"]), other.agrees(["roll", "=ab", "a1"])]).toEqual([true, false]);
  expect(timeline.upTo(9)).toBe(timeline);
});

test("everything since one's own last move is marked; for whoever looks on, the last step", () => {
  expect([4, 3, 2].map((at) => timeline.startOfNews(at, [1]))).toEqual([3, 0, 0]);
  expect([4, 3, 2, 1].map((at) => timeline.startOfNews(at, [0]))).toEqual([3, 2, 1, 0]);
  expect([4, 0].map((at) => timeline.startOfNews(at, []))).toEqual([3, 0]);
  expect([...timeline.marksAt(3, [1])]).toEqual(["dice", "1:a1"]);
});

// Two people with dice: the first loses what was built, the second throws in vain at once.
const DICE: StepView[] = [
  { move: "=a", effects: [] },
  { seat: 0, move: "a1", effects: [] },
  { seat: 0, move: "roll", effects: [] },
  { move: "=f", effects: [], facts: { turn: 1 } },
  { move: "=f", effects: [], facts: { turn: 0 } },
  { move: "=a", effects: [] },
];
const thrown = Timeline.of({ start: {}, facts: { turn: 0 }, steps: DICE });

test("whose dice were thrown is whose turn it was before", () => {
  expect(thrown.steps.map(({ seat, thrower }) => seat ?? thrower)).toEqual([0, 0, 0, 0, 1, 0]);
  expect(thrown.steps[1]).not.toHaveProperty("thrower");
  const one = DICE.reduce((sum, step) => sum.after(step), thrown.upTo(0));
  expect(one.steps).toEqual(thrown.steps);
});

test("a turn is not over before the throw that ends it", () => {
  expect([0, 1, 2, 3, 4, 5, 6].map((at) => thrown.moverAt(at))).toEqual([0, 0, 0, 0, 1, 0, 0]);
});

test("what is told is what others did, and throws that ended a turn, one's own as well", () => {
  const told = (at: number, you: number | null) => {
    const news = thrown.lastOpponentStep(at, you);
    return news && thrown.steps.indexOf(news);
  };
  expect([1, 2, 3, 4, 5, 6].map((at) => told(at, 0))).toEqual([null, null, null, 3, 4, 4]);
  expect([1, 2, 3, 4, 5, 6].map((at) => told(at, 1))).toEqual([null, 1, 2, 3, 4, 4]);
  expect([4, 6].map((at) => told(at, null))).toEqual([3, null]);
});
