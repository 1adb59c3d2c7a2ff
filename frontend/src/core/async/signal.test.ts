import { expect, test } from "vitest";
import { Signal } from "./signal.ts";

test("everybody who waits goes on when it happens, and only then", async () => {
  const signal = new Signal();
  const log: string[] = [];
  const waits = ["a", "b"].map((name) => signal.next().then(() => log.push(name)));
  await Promise.resolve();
  expect(log).toEqual([]);
  signal.emit();
  await Promise.all(waits);
  expect(log).toEqual(["a", "b"]);
});

test("what has happened before is not waited for", async () => {
  const signal = new Signal();
  signal.emit();
  let isOver = false;
  const wait = signal.next().then(() => (isOver = true));
  await Promise.resolve();
  expect(isOver).toBe(false);
  signal.emit();
  await wait;
  expect(isOver).toBe(true);
});
