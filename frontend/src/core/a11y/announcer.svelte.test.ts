import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Announcer } from "./announcer.svelte.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** What a screen reader speaks: every text that has come into a region that had another. */
function listening(announcer: Announcer): string[] {
  const spoken: string[] = [];
  let before = ["", ""];
  const stop = $effect.root(() => {
    $effect(() => {
      const now = [...announcer.polite.texts];
      now.forEach((text, at) => text && text !== before[at] && spoken.push(text));
      before = now;
    });
  });
  flushSync();
  stops.push(stop);
  return spoken;
}
const stops: (() => void)[] = [];
afterEach(() => stops.splice(0).forEach((stop) => stop()));

function wait(ms = 1_000): void {
  vi.advanceTimersByTime(ms);
  flushSync();
}

test("the same twice is heard twice", () => {
  const announcer = new Announcer();
  const spoken = listening(announcer);
  for (let time = 0; time < 3; time++) {
    announcer.say("Not your turn");
    wait();
  }
  expect(spoken).toEqual(["Not your turn", "Not your turn", "Not your turn"]);
});

test("what is said at once is said together, in order", () => {
  const announcer = new Announcer();
  const spoken = listening(announcer);
  announcer.say("Ann: a.");
  announcer.say("Your turn.");
  wait();
  expect(spoken).toEqual(["Ann: a. Your turn."]);
});

test("what comes soon after waits until the first has been taken up", () => {
  const announcer = new Announcer();
  const spoken = listening(announcer);
  announcer.say("one");
  wait(1);
  announcer.say("two");
  wait(10);
  expect(spoken).toEqual(["one"]);
  wait();
  expect(spoken).toEqual(["one", "two"]);
});

test("of very much only the newest is said", () => {
  const announcer = new Announcer();
  const spoken = listening(announcer);
  for (let number = 1; number <= 20; number++) announcer.say(`${number}`);
  wait();
  expect(spoken).toEqual(["15 16 17 18 19 20"]);
});

test("what is pressing is said in a region of its own", () => {
  const announcer = new Announcer();
  const spoken = listening(announcer);
  announcer.say("That is not yours", "assertive");
  wait();
  expect(spoken).toEqual([]);
  expect(announcer.assertive.texts).toContain("That is not yours");
});

test("nothing is said after a page has gone", () => {
  const announcer = new Announcer();
  const spoken = listening(announcer);
  announcer.say("late");
  announcer.stop();
  wait();
  expect(spoken).toEqual([]);
});
