import { expect, test } from "vitest";
import type { Notice, StepView } from "$core/http/types.ts";
import { onceHinted, withReturns } from "./notices.ts";

const notice = (number: number, kind: string, seat: number, after: number): Notice =>
  ({ number, at: 0, kind, seat, after }) as Notice;
const by = (...seats: number[]): StepView[] => seats.map((seat) => ({ move: "x", effects: [], seat }));
const told = (notices: readonly Notice[]) => notices.map(({ kind, after }) => `${kind} ${after}`);

test("who has left and moves is back", () => {
  const left = notice(5, "left", 0, 1);
  expect(withReturns([left], by(0, 1))).toEqual([left]);
  expect(told(withReturns([left], by(0, 1, 0)))).toEqual(["left 1", "reclaimed 2"]);
});

test("who has come back before need not move for it", () => {
  const notices = [notice(5, "left", 0, 1), notice(6, "reclaimed", 0, 1)];
  expect(withReturns(notices, by(0, 1, 0))).toEqual(notices);
});

test("who leaves twice without moving is back once", () => {
  const notices = [notice(5, "left", 0, 1), notice(9, "left", 0, 4)];
  expect(told(withReturns(notices, by(0, 1, 0, 1)))).toEqual(["left 1", "reclaimed 2", "left 4"]);
});

test("stronger and stronger hints of one moment are told once", () => {
  const hints = [1, 2, 3].map((number) => notice(number, "hinted", 0, 4));
  const later = notice(4, "hinted", 0, 6);
  expect(onceHinted([...hints, later, notice(5, "undone", 0, 4)]).map(({ number }) => number)).toEqual([
    1, 4, 5,
  ]);
});
