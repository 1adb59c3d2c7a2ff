import { beforeEach, expect, test } from "vitest";
import type { Effect, StepView } from "$core/http/types.ts";
import { Playback, type PlaybackClock } from "./playback.svelte.ts";
import { Timeline } from "./timeline.ts";

/** A clock that stands still until it is turned. */
class Turned implements PlaybackClock {
  private waiting: { at: number; done: () => void }[] = [];
  private now = 0;
  skips = false;

  wait(ms: number): Promise<void> {
    return new Promise((done) => this.waiting.push({ at: this.now + ms, done }));
  }

  skipsAnimation(): boolean {
    return this.skips;
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
let playback: Playback;
beforeEach(() => {
  clock = new Turned();
  playback = new Playback(clock);
  playback.begin(begun());
});

test("a move is shown effect by effect, and only then has happened", async () => {
  playback.update(begun(AB));
  expect([playback.live, playback.at, playback.effect?.[0], playback.moment]).toEqual([
    false,
    0,
    "lift",
    "0+",
  ]);
  expect(playback.drawing).toEqual({ ...START, a: "x", hand: "x" });
  await clock.turn(230);
  expect([playback.effect?.[0], playback.drawing.b]).toEqual(["drop", "x"]);
  await clock.turn(230);
  expect([playback.live, playback.at, playback.effect, [...playback.marks]]).toEqual([
    true,
    1,
    null,
    ["a", "hand", "b"],
  ]);
});

test("a game that begins is there", () => {
  playback = new Playback(clock);
  playback.begin(Timeline.EMPTY);
  playback.update(begun());
  expect([playback.live, playback.drawing]).toEqual([true, START]);
});

test("several moves follow one another, with a pause between", async () => {
  playback.update(begun(AB, BC));
  await clock.turn(470);
  expect([playback.at, playback.live]).toEqual([1, false]);
  await clock.turn(200);
  expect(playback.effect).toBeNull();
  await clock.turn(200);
  expect(playback.effect?.[0]).toBe("lift");
  await clock.turn(600);
  expect([playback.at, playback.live, playback.drawing.c]).toEqual([2, true, "x"]);
});

test("too many at once, or nobody to look: they are there at once", async () => {
  const many = Array.from({ length: 8 }, (_, at) => (at % 2 ? step(1, "b", "a") : AB));
  playback.update(begun(...many));
  await clock.turn(10);
  expect([playback.at, playback.live]).toEqual([8, true]);
  clock.skips = true;
  playback.update(begun(...many, AC));
  await clock.turn(10);
  expect([playback.at, playback.drawing.c]).toEqual([9, "x"]);
});

test("what is shown slowly may fall further behind", async () => {
  playback = new Playback(clock, () => ({ pace: "slow" }));
  playback.begin(begun());
  playback.update(begun(...Array.from({ length: 8 }, (_, at) => (at % 2 ? step(1, "b", "a") : AB))));
  await clock.turn(10);
  expect([playback.at, playback.live]).toEqual([0, false]);
});

test("our own move is shown early, and stays when it is stored", async () => {
  playback.update(begun(), AB);
  await clock.turn(2000);
  expect([playback.at, playback.live, playback.drawing.b]).toEqual([0, false, "x"]); // on its way
  playback.update(begun(AB));
  await clock.turn(10);
  expect([playback.at, playback.live, playback.drawing.b]).toEqual([1, true, "x"]);
});

test("our own move, stored while it is still shown, is shown once", async () => {
  playback.update(begun(), AB);
  await clock.turn(100);
  playback.update(begun(AB));
  expect(playback.effect?.[0]).toBe("lift");
  await clock.turn(400);
  expect([playback.at, playback.live]).toEqual([1, true]);
});

test("a refused move of ours leaves nothing behind", async () => {
  playback.update(begun(), AB);
  await clock.turn(500);
  playback.update(begun());
  await clock.turn(10);
  expect([playback.at, playback.live, playback.drawing, playback.effect]).toEqual([0, true, START, null]);
});

test("a move of ours that is overtaken gives way to what has happened", async () => {
  playback.update(begun(), AB);
  await clock.turn(100);
  playback.update(begun(AC));
  await clock.turn(700);
  expect([playback.at, playback.live, playback.drawing]).toEqual([
    1,
    true,
    { a: "x", b: "", c: "x", hand: "" },
  ]);
});

test("what is taken back is gone, also in the middle of being shown", async () => {
  playback.update(begun(AB, BC));
  await clock.turn(1300);
  playback.update(begun(AB));
  expect([playback.at, playback.drawing.b]).toEqual([1, "x"]);
  playback.update(begun(AB, BC));
  await clock.turn(100);
  playback.update(begun(AB));
  await clock.turn(500);
  expect([playback.at, playback.live, playback.drawing.hand]).toEqual([1, true, ""]);
  playback.update(begun(AC)); // taken back and played anew, told at once
  expect([playback.at, playback.drawing.c]).toEqual([1, "x"]);
});

test("who looks back stays there; the present is one step away", async () => {
  playback.begin(begun(AB));
  playback.lookAt(0);
  expect([playback.at, playback.isFollowing, playback.live]).toEqual([0, false, false]);
  playback.update(begun(AB, BC));
  await clock.turn(1000);
  expect(playback.at).toBe(0);
  playback.lookAt(2);
  expect([playback.isFollowing, playback.live, playback.drawing.c]).toEqual([true, true, "x"]);
});

test("where one looks is the present when what came after it is taken back", async () => {
  playback.begin(begun(AB, BC));
  playback.lookAt(1);
  playback.update(begun(AB));
  expect([playback.at, playback.isFollowing, playback.live]).toEqual([1, true, true]);
  playback.update(begun(AB, BC));
  await clock.turn(500);
  expect(playback.at).toBe(2);
});

test("moves are listed when they are shown; all of them for who looks back", async () => {
  playback.update(begun(AB, BC));
  expect(playback.listed).toBe(1);
  await clock.turn(470);
  expect(playback.listed).toBe(1);
  await clock.turn(400);
  expect(playback.listed).toBe(2);
  playback.lookAt(0);
  expect(playback.listed).toBe(2);
  playback.lookAt(2);
  playback.update(begun(AB, BC), AC);
  expect(playback.listed).toBe(2); // not yet: it may be refused
});

test("looking back in the middle of a move ends it", async () => {
  playback.update(begun(AB, BC));
  await clock.turn(500);
  playback.lookAt(0);
  await clock.turn(1000);
  expect([playback.at, playback.effect, playback.drawing]).toEqual([0, null, START]);
});

test("a click shows the end of what is being shown", async () => {
  playback.update(begun(AB, BC));
  playback.skip();
  await clock.turn(10);
  expect([playback.at, playback.live]).toEqual([2, true]);
});

test("what else happens meanwhile does not shorten what is shown", async () => {
  playback.update(begun(AB));
  await clock.turn(100);
  playback.update(begun(AB));
  await clock.turn(50);
  expect(playback.effect?.[0]).toBe("lift");
});

test.each([
  ["slow", 440],
  ["normal", 220],
  ["fast", 99],
] as const)("at a %s pace an effect is shown for %i ms", async (pace, ms) => {
  playback = new Playback(clock, () => ({ pace }));
  playback.begin(begun());
  playback.update(begun(AB, BC));
  await clock.turn(ms - 10);
  expect(playback.effect?.[0]).toBe("lift");
  await clock.turn(20);
  expect(playback.effect?.[0]).toBe("drop");
  await clock.turn(ms * (1 + 350 / 220) - 20); // the pause between two moves is as long
  expect([playback.at, playback.effect]).toEqual([1, null]);
  await clock.turn(40);
  expect(playback.effect?.[0]).toBe("lift");
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
  playback = new Playback(clock, () => ({ gestures: ["lift"], silent: ["use"] }));
  playback.begin(begun());
  playback.update(begun(lifts));
  await clock.turn(70);
  expect(playback.drawing).toEqual({ ...START, a: "", hand: "xx" });
  await clock.turn(150);
  expect(playback.effect?.[0]).toBe("lift");
});

test("what is to be taken in is shown for longer", async () => {
  playback = new Playback(clock, () => ({ lasting: ["lift"] }));
  playback.begin(begun());
  playback.update(begun(AB));
  await clock.turn(800);
  expect(playback.effect?.[0]).toBe("lift");
  await clock.turn(200);
  expect(playback.effect?.[0]).toBe("drop");
});
