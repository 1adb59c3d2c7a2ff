import { beforeEach, expect, test } from "vitest";
import type { Effect, StepView } from "$core/http/types.ts";
import { Projector, type Pace } from "./projector.svelte.ts";
import { Timeline } from "./timeline.ts";

/** A clock that stands still until it is turned. */
class Turned implements Pace {
  private waiting: { at: number; done: () => void }[] = [];
  private now = 0;
  hurried = false;

  wait(ms: number): Promise<void> {
    return new Promise((done) => this.waiting.push({ at: this.now + ms, done }));
  }

  hurries(): boolean {
    return this.hurried;
  }

  async turn(ms: number): Promise<void> {
    for (const end = this.now + ms; this.now < end;) {
      this.now += 10;
      const due = this.waiting.filter(({ at }) => at <= this.now);
      this.waiting = this.waiting.filter(({ at }) => at > this.now);
      for (const { done } of due) done();
      for (let n = 0; n < 8; n++) await Promise.resolve();
    }
  }
}

const step = (seat: number, from: string, to: string): StepView => ({
  seat,
  move: from + to,
  effects: [
    ["lift", from, "hand", "x", seat],
    ["drop", "hand", to, "x", seat],
  ] as Effect[],
});
const START = { a: "xx", b: "", c: "", hand: "" };
const AB = step(0, "a", "b");
const BC = step(1, "b", "c");
const AC = step(0, "a", "c");
const begun = (...steps: StepView[]) => Timeline.of({ start: START, facts: {}, steps });

let clock: Turned;
let projector: Projector;
beforeEach(() => {
  clock = new Turned();
  projector = new Projector(clock);
  projector.begin(begun());
});

test("a move is shown effect by effect, and only then has happened", async () => {
  projector.update(begun(AB));
  expect([projector.live, projector.at, projector.effect?.[0], projector.moment]).toEqual([
    false,
    0,
    "lift",
    "0+",
  ]);
  expect(projector.drawing).toEqual({ ...START, a: "x", hand: "x" });
  await clock.turn(230);
  expect([projector.effect?.[0], projector.drawing.b]).toEqual(["drop", "x"]);
  await clock.turn(230);
  expect([projector.live, projector.at, projector.effect, [...projector.marks]]).toEqual([
    true,
    1,
    null,
    ["a", "hand", "b"],
  ]);
});

test("a game that begins is there", () => {
  projector = new Projector(clock);
  projector.begin(Timeline.EMPTY);
  projector.update(begun());
  expect([projector.live, projector.drawing]).toEqual([true, START]);
});

test("several moves follow one another, with a pause between", async () => {
  projector.update(begun(AB, BC));
  await clock.turn(470);
  expect([projector.at, projector.live]).toEqual([1, false]);
  await clock.turn(200);
  expect(projector.effect).toBeNull();
  await clock.turn(200);
  expect(projector.effect?.[0]).toBe("lift");
  await clock.turn(600);
  expect([projector.at, projector.live, projector.drawing.c]).toEqual([2, true, "x"]);
});

test("too many at once, or nobody to look: they are there at once", async () => {
  const many = Array.from({ length: 8 }, (_, at) => (at % 2 ? step(1, "b", "a") : AB));
  projector.update(begun(...many));
  await clock.turn(10);
  expect([projector.at, projector.live]).toEqual([8, true]);
  clock.hurried = true;
  projector.update(begun(...many, AC));
  await clock.turn(10);
  expect([projector.at, projector.drawing.c]).toEqual([9, "x"]);
});

test("what is shown slowly may fall further behind", async () => {
  projector = new Projector(clock, () => ({ pace: "slow" }));
  projector.begin(begun());
  projector.update(begun(...Array.from({ length: 8 }, (_, at) => (at % 2 ? step(1, "b", "a") : AB))));
  await clock.turn(10);
  expect([projector.at, projector.live]).toEqual([0, false]);
});

test("our own move is shown early, and stays when it is stored", async () => {
  projector.update(begun(), AB);
  await clock.turn(2000);
  expect([projector.at, projector.live, projector.drawing.b]).toEqual([0, false, "x"]); // on its way
  projector.update(begun(AB));
  await clock.turn(10);
  expect([projector.at, projector.live, projector.drawing.b]).toEqual([1, true, "x"]);
});

test("our own move, stored while it is still shown, is shown once", async () => {
  projector.update(begun(), AB);
  await clock.turn(100);
  projector.update(begun(AB));
  expect(projector.effect?.[0]).toBe("lift");
  await clock.turn(400);
  expect([projector.at, projector.live]).toEqual([1, true]);
});

test("a refused move of ours leaves nothing behind", async () => {
  projector.update(begun(), AB);
  await clock.turn(500);
  projector.update(begun());
  await clock.turn(10);
  expect([projector.at, projector.live, projector.drawing, projector.effect]).toEqual([0, true, START, null]);
});

test("a move of ours that is overtaken gives way to what has happened", async () => {
  projector.update(begun(), AB);
  await clock.turn(100);
  projector.update(begun(AC));
  await clock.turn(700);
  expect([projector.at, projector.live, projector.drawing]).toEqual([
    1,
    true,
    { a: "x", b: "", c: "x", hand: "" },
  ]);
});

test("what is taken back is gone, also in the middle of being shown", async () => {
  projector.update(begun(AB, BC));
  await clock.turn(1300);
  projector.update(begun(AB));
  expect([projector.at, projector.drawing.b]).toEqual([1, "x"]);
  projector.update(begun(AB, BC));
  await clock.turn(100);
  projector.update(begun(AB));
  await clock.turn(500);
  expect([projector.at, projector.live, projector.drawing.hand]).toEqual([1, true, ""]);
  projector.update(begun(AC)); // taken back and played anew, told at once
  expect([projector.at, projector.drawing.c]).toEqual([1, "x"]);
});

test("who looks back stays there; the present is one step away", async () => {
  projector.begin(begun(AB));
  projector.lookAt(0);
  expect([projector.at, projector.following, projector.live]).toEqual([0, false, false]);
  projector.update(begun(AB, BC));
  await clock.turn(1000);
  expect(projector.at).toBe(0);
  projector.lookAt(2);
  expect([projector.following, projector.live, projector.drawing.c]).toEqual([true, true, "x"]);
});

test("where one looks is the present when what came after it is taken back", async () => {
  projector.begin(begun(AB, BC));
  projector.lookAt(1);
  projector.update(begun(AB));
  expect([projector.at, projector.following, projector.live]).toEqual([1, true, true]);
  projector.update(begun(AB, BC));
  await clock.turn(500);
  expect(projector.at).toBe(2);
});

test("moves are listed when they are shown; all of them for who looks back", async () => {
  projector.update(begun(AB, BC));
  expect(projector.listed).toBe(1);
  await clock.turn(470);
  expect(projector.listed).toBe(1);
  await clock.turn(400);
  expect(projector.listed).toBe(2);
  projector.lookAt(0);
  expect(projector.listed).toBe(2);
  projector.lookAt(2);
  projector.update(begun(AB, BC), AC);
  expect(projector.listed).toBe(2); // not yet: it may be refused
});

test("looking back in the middle of a move ends it", async () => {
  projector.update(begun(AB, BC));
  await clock.turn(500);
  projector.lookAt(0);
  await clock.turn(1000);
  expect([projector.at, projector.effect, projector.drawing]).toEqual([0, null, START]);
});

test("a click shows the end of what is being shown", async () => {
  projector.update(begun(AB, BC));
  projector.skip();
  await clock.turn(10);
  expect([projector.at, projector.live]).toEqual([2, true]);
});

test("what else happens meanwhile does not shorten what is shown", async () => {
  projector.update(begun(AB));
  await clock.turn(100);
  projector.update(begun(AB));
  await clock.turn(50);
  expect(projector.effect?.[0]).toBe("lift");
});

test.each([
  ["slow", 440],
  ["normal", 220],
  ["fast", 99],
] as const)("at a %s pace an effect is shown for %i ms", async (pace, ms) => {
  projector = new Projector(clock, () => ({ pace }));
  projector.begin(begun());
  projector.update(begun(AB, BC));
  await clock.turn(ms - 10);
  expect(projector.effect?.[0]).toBe("lift");
  await clock.turn(20);
  expect(projector.effect?.[0]).toBe("drop");
  await clock.turn(ms * (1 + 350 / 220) - 20); // the pause between two moves is as long
  expect([projector.at, projector.effect]).toEqual([1, null]);
  await clock.turn(40);
  expect(projector.effect?.[0]).toBe("lift");
});

test("a gesture is quick, and what is silent is shown with what comes next", async () => {
  const lifts: StepView = {
    seat: 0,
    move: "a*2",
    effects: [
      ["use", null, null, null, 0],
      ["lift", "a", "hand", "x", 0],
      ["lift", "a", "hand", "x", 0],
      ["drop", "hand", "b", "x", 0],
    ],
  };
  projector = new Projector(clock, () => ({ gestures: ["lift"], silent: ["use"] }));
  projector.begin(begun());
  projector.update(begun(lifts));
  await clock.turn(70);
  expect(projector.drawing).toEqual({ ...START, a: "", hand: "xx" });
  await clock.turn(150);
  expect(projector.effect?.[0]).toBe("lift");
});

test("what is to be taken in is shown for longer", async () => {
  projector = new Projector(clock, () => ({ lasting: ["lift"] }));
  projector.begin(begun());
  projector.update(begun(AB));
  await clock.turn(800);
  expect(projector.effect?.[0]).toBe("lift");
  await clock.turn(200);
  expect(projector.effect?.[0]).toBe("drop");
});
