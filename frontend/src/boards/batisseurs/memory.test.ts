import { expect, test } from "vitest";
import { follow } from "../../lib/drawing.ts";
import type { Effect } from "../../lib/types.ts";
import { NOTHING, remember, type Memory } from "./memory.ts";

const START = { dice: "", "1:a1": "x", "1:a2": "", "2:a1": "" };
const begun = remember(NOTHING, { drawing: START, effect: null, moves: 0, toMove: undefined });

function shown(memory: Memory, effects: Effect[]): Memory {
  return effects.reduce(
    (now, effect) => remember(now, { drawing: follow(now.drawing, effect), effect, moves: now.moves, toMove: undefined }),
    memory,
  );
}

test("what is lost stays in sight until somebody builds again", () => {
  const built = shown(begun, [["place", null, "1:a2", "o", 0]]);
  const bust = shown(built, [["bust", null, null, null, 0], ["lose", "1:a2", null, "o", 0]]);
  expect(bust).toMatchObject({ bust: 0, turn: 0, fallen: new Set(["1:a2"]) });
  const thrown = shown(bust, [["die", null, "dice", "a", 1]]);
  expect(thrown).toMatchObject({ bust: 0, turn: 1, fallen: new Set(["1:a2"]) });
  const other = shown(thrown, [["use", "dice", null, "a", 1], ["place", null, "2:a1", "o", 1]]);
  expect(other).toMatchObject({ bust: null, fallen: new Set() });
});

test("the same without a step shown", () => {
  const built = remember(begun, { drawing: { ...START, "1:a2": "o" }, effect: null, moves: 2, toMove: 0 });
  const lost = remember(built, { drawing: START, effect: null, moves: 4, toMove: 1 });
  expect(lost).toMatchObject({ bust: 0, turn: 1, fallen: new Set(["1:a2"]) });
});

test("a move taken back has lost nothing", () => {
  const built = remember(begun, { drawing: { ...START, "1:a2": "o" }, effect: null, moves: 2, toMove: 0 });
  const back = remember(built, { drawing: START, effect: null, moves: 1, toMove: 0 });
  expect(back).toMatchObject({ bust: null, fallen: new Set() });
});

test("what was won last is known, for one seat at a time", () => {
  const won = shown(begun, [["place", null, "1:a2", "o", 0], ["win", "1:a2", "1:a2", "x", 0]]);
  expect(won.gained).toEqual(new Set(["1:a2"]));
  const other = shown(won, [["place", null, "2:a1", "o", 1]]);
  expect(other.gained).toEqual(new Set(["1:a2"]));
  expect(shown(other, [["win", "2:a1", "2:a1", "x", 1]]).gained).toEqual(new Set(["2:a1"]));
});
