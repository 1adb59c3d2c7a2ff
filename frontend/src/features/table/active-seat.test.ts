import { expect, test } from "vitest";
import { nextActiveSeat, afterCurtain, NO_SEAT, type Turn } from "./active-seat.ts";

const turn = (more: Partial<Turn>): Turn => ({
  caughtUp: true,
  toMove: 0,
  local: [0, 1],
  secrets: false,
  ...more,
});

test("the board turns to the seat to move", () => {
  const first = nextActiveSeat(NO_SEAT, turn({}));
  expect(first).toEqual({ seat: 0, side: 0, curtain: null });
  expect(nextActiveSeat(first, turn({ toMove: 1 }))).toEqual({ seat: 1, side: 1, curtain: null });
});

test("but not before the move has been shown", () => {
  const first = nextActiveSeat(NO_SEAT, turn({}));
  expect(nextActiveSeat(first, turn({ toMove: 1, caughtUp: false }))).toBe(first);
});

test("while a bot moves the board stays as it lies, and nobody's secret is on it", () => {
  const first = nextActiveSeat(NO_SEAT, turn({}));
  expect(nextActiveSeat(first, turn({ toMove: 2 }))).toEqual({ seat: null, side: 0, curtain: null });
  expect(nextActiveSeat(first, turn({ toMove: null }))).toEqual({ seat: null, side: 0, curtain: null });
});

test("where there are secrets, a curtain falls before the next player sees the board", () => {
  const first = afterCurtain(nextActiveSeat(NO_SEAT, turn({ secrets: true })));
  expect(first).toEqual({ seat: 0, side: 0, curtain: null });
  expect(nextActiveSeat(first, turn({ secrets: true }))).toBe(first); // another move of the same turn
  const hidden = nextActiveSeat(first, turn({ secrets: true, toMove: 1 }));
  expect(hidden).toEqual({ seat: null, side: 0, curtain: 1 });
  expect(nextActiveSeat(hidden, turn({ secrets: true, toMove: 1 }))).toEqual(hidden);
  expect(afterCurtain(hidden)).toEqual({ seat: 1, side: 1, curtain: null });
});
