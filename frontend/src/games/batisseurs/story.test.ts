import { expect, test } from "vitest";
import { applyAll } from "$engine/drawing.ts";
import type { Effect, Facts, StepView } from "$core/http/types.ts";
import { turnOf } from "./facts.ts";
import { settle, storyOf } from "./story.ts";

const START = { dice: "", "1:a1": "", "1:a2": "", "1:a3": "", "2:a1": "" };

const thrown = (faces: string, seat: number, ...more: Effect[]): StepView => ({
  move: `=${faces}`,
  effects: [...[...faces].map((face): Effect => ["die", null, "dice", face, seat]), ...more],
});
const gathered = (faces: string, seat: number): Effect[] =>
  [...faces].map((face): Effect => ["gather", "dice", null, face, seat]);
const built = (place: string): StepView => {
  const seat = Number(place[0]) - 1;
  const effects: Effect[] = [
    ["use", "dice", null, place[2]!, seat],
    ["place", null, place, "o", seat],
  ];
  return { seat, move: place.slice(2), effects };
};
const roll: StepView = { seat: 0, move: "roll", effects: gathered("bf", 0) };
const stop: StepView = {
  seat: 0,
  move: "stop",
  effects: [["win", "1:a1", "1:a1", "x", 0], ["win", "1:a2", "1:a2", "x", 0], ...gathered("bf", 0)],
};
const inVain = thrown(
  "ff",
  0,
  ["bust", null, null, null, 0],
  ["lose", "1:a1", null, "o", 0],
  ["lose", "1:a2", null, "o", 0],
  ...gathered("ff", 0),
);
const TURN = [thrown("aabf", 0), built("1:a1"), built("1:a2")];
const LOST = [...TURN, roll, inVain];

/** After these steps, and so many effects of another one that is being shown. */
function after(steps: StepView[], shown: Effect[] = [], toMove: number | null = null, facts: Facts = {}) {
  const drawing = applyAll(
    START,
    [...steps, { effects: shown }].flatMap(({ effects }) => effects),
  );
  return storyOf({ drawing, facts, toMove, steps, effect: shown.at(-1) ?? null });
}

test("nothing has happened yet", () => {
  expect(after([])).toEqual({
    builder: null,
    slots: ["", "", "", "", "", ""],
    fallen: new Set(),
    gained: new Set(),
    bust: null,
  });
});

test("what is lost stays in sight until somebody builds again", () => {
  const lost = { bust: 0, fallen: new Set(["1:a1", "1:a2"]) };
  expect(after(LOST)).toMatchObject(lost);
  expect(after([...LOST, thrown("abcdef", 1)])).toMatchObject(lost);
  expect(after([...LOST, thrown("abcdef", 1), built("2:a1")])).toMatchObject({
    bust: null,
    fallen: new Set(),
  });
});

test("while a throw in vain is shown, blocks fall one after the other", () => {
  const before = [...TURN, roll];
  const shown = (until: number) => after(before, inVain.effects.slice(0, until));
  expect(shown(2)).toMatchObject({ bust: null, fallen: new Set() });
  expect(shown(3)).toMatchObject({ bust: 0, fallen: new Set() });
  expect(shown(4)).toMatchObject({ bust: 0, fallen: new Set(["1:a1"]) });
  expect(shown(5)).toMatchObject({ bust: 0, fallen: new Set(["1:a1", "1:a2"]) });
});

test("what was won last is known, for one seat at a time", () => {
  const won = [...TURN, stop];
  expect(after(won).gained).toEqual(new Set(["1:a1", "1:a2"]));
  expect(after(TURN, stop.effects.slice(0, 1)).gained).toEqual(new Set(["1:a1"]));
  const other = [...won, thrown("abcdef", 1), built("2:a1")];
  expect(after(other).gained).toEqual(new Set(["1:a1", "1:a2"]));
  const theirs: StepView = { seat: 1, move: "stop", effects: [["win", "2:a1", "2:a1", "x", 1]] };
  expect(after([...other, theirs]).gained).toEqual(new Set(["2:a1"]));
  expect(after([...won, thrown("aabf", 0), built("1:a3")]).gained).toEqual(new Set());
});

test("the builder is who does what is shown, who is to move, or whose throw is due", () => {
  expect(after(TURN, [["place", null, "2:a1", "o", 1]], 0).builder).toBe(1);
  expect(after(TURN, [], 0, { turn: 1 }).builder).toBe(0);
  expect(after(LOST, [], null, { turn: 1 }).builder).toBe(1);
  expect([turnOf({}), turnOf({ turn: 2 })]).toEqual([null, 2]);
});

test("dice stay where they fell, as they are thrown, used and thrown again", () => {
  const slots = (...given: Parameters<typeof after>) => after(...given).slots.join(".");
  expect(slots([], thrown("aabf", 0).effects.slice(0, 2))).toBe("a.a....");
  expect(slots(TURN.slice(0, 1))).toBe("a.a.b.f..");
  expect(slots(TURN.slice(0, 2))).toBe("a..b.f..");
  expect(slots(TURN.slice(0, 1), built("1:a1").effects)).toBe("a..b.f..");
  expect(slots([...TURN, roll, thrown("cf", 0)])).toBe("c.f....");
});

test("a drawing without a story shows its dice too", () => {
  expect(settle(["", "", "", "", "", ""], "acf")).toEqual(["a", "c", "f", "", "", ""]);
  expect(settle(["a", "", "", "c", "", ""], "acd")).toEqual(["a", "d", "", "c", "", ""]);
});
