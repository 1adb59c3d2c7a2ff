import { expect, test } from "vitest";
import { applyEvent, OutOfSyncError, stateOf, updatesClocks, type TableState } from "./apply-event.ts";
import { DROP, TABLE } from "$testing/table.ts";
import { isOver, type EventMessage } from "$core/http/types.ts";

const table: TableState = {
  ...stateOf(TABLE),
  number: 7,
  moves: ["x"],
  legal: [{ move: "y", effects: [DROP] }],
};

const moved: EventMessage = {
  number: 8,
  at: 0,
  event: { kind: "moved", seat: 0, move: "y" },
  effects: [DROP],
  now: { to_move: 1, view: "v8" },
};

test("a move is added, and ends what was to be chosen", () => {
  const next = applyEvent(table, moved);
  expect(next).toMatchObject({
    number: 8,
    moves: ["x", "y"],
    to_move: 1,
    seats: table.seats,
  });
  expect(next.legal).toBeUndefined();
  expect(table.moves).toEqual(["x"]); // the state before is not changed
});

test("a throw is a move of nobody's", () => {
  const next = applyEvent(table, { ...moved, event: { kind: "threw", throw: "=ab", draw: 0 } });
  expect(next.moves).toEqual(["x", "=ab"]);
});

test("talk changes nothing but the number", () => {
  const said: EventMessage = { number: 8, at: 0, event: { kind: "said", seat: 1, text: "hm" } };
  expect(applyEvent(table, said)).toEqual({ ...table, number: 8 });
});

test("numbers are without gap or repeat", () => {
  expect(() => applyEvent(table, { ...moved, number: 9 })).toThrow(OutOfSyncError);
  expect(() => applyEvent(table, { ...moved, number: 7 })).toThrow(OutOfSyncError);
});

test("the position is not part of the state", () => {
  const before = stateOf({ ...TABLE, view: "v7", last: [{ move: "x", effects: [] }] });
  expect(Object.keys(before).filter((key) => ["drawing", "view", "last"].includes(key))).toEqual([]);
  expect("drawing" in applyEvent(table, moved)).toBe(false);
});

test("an undo takes the move away, and its request", () => {
  const undone: EventMessage = {
    number: 8,
    at: 0,
    event: { kind: "undone", seat: 1, keep: 0 },
    now: { to_move: 1, view: "v0", drawing: { hand: "ppp", a1: "" } },
  };
  const next = applyEvent({ ...table, undo: { kind: "undo-asked", seat: 1, keep: 0 } }, undone);
  expect(next.moves).toEqual([]);
  expect(next.undo).toBeUndefined();
});

test("of several events only the newest has `now`", () => {
  const messages: EventMessage[] = [
    { number: 8, at: 0, event: { kind: "moved", seat: 0, move: "taken back" } },
    { number: 9, at: 0, event: { kind: "undone", seat: 0, keep: 1 } },
    { number: 10, at: 0, event: { kind: "moved", seat: 0, move: "y" }, effects: [DROP] },
    {
      number: 11,
      at: 0,
      event: { kind: "said", seat: 0, text: "so" },
      now: { to_move: 1, view: "v", drawing: { hand: "p", a1: "p" }, last: [{ move: "y", effects: [DROP] }] },
    },
  ];
  const next = messages.reduce(applyEvent, table);
  expect(next).toMatchObject({ number: 11, moves: ["x", "y"], to_move: 1 });
});

test("who was drawn to another seat is there", () => {
  const began: EventMessage = {
    number: 8,
    at: 0,
    event: { kind: "began", order: [1, 0], start: "v8", draws: 0 },
    now: { to_move: 0, view: "v8", drawing: { a1: "" }, seats: [...table.seats].reverse() },
  };
  const next = applyEvent({ ...table, start: undefined, moves: undefined }, began);
  expect(next).toMatchObject({ you: 1, start: "v8", seats: [{ name: "Bob" }, { name: "Ann" }] });
});

test("clocks go to the seats", () => {
  const timed: EventMessage = { ...moved, now: { ...moved.now, clocks: [5, 6] } };
  expect(applyEvent(table, timed).seats).toEqual([
    { name: "Ann", taken: true, left: 5 },
    { name: "Bob", taken: true, left: 6 },
  ]);
  expect(updatesClocks(timed)).toBe(true);
  expect(updatesClocks(moved)).toBe(false);
});

test("facts stay until others are sent", () => {
  const before = { ...table, facts: { control: ["r", "b"] } };
  expect(applyEvent(before, moved).facts).toEqual({ control: ["r", "b"] });
  expect(applyEvent(before, { ...moved, facts: { control: ["", "b"] } }).facts).toEqual({
    control: ["", "b"],
  });
});

test("a table that is closed before its game says so", () => {
  const lobby: TableState = { ...table, start: undefined, moves: undefined, legal: undefined };
  const closed = applyEvent(lobby, { number: 8, at: 0, event: { kind: "expired" }, now: { expired: true } });
  expect([isOver(lobby), isOver(closed)]).toEqual([false, true]);
});

test("the position is as old as the last event that changed it", () => {
  const offer = { ...table, position_since: 7 };
  const said: EventMessage = { number: 8, at: 0, event: { kind: "said", seat: 1, text: "hm" } };
  expect(applyEvent(offer, said).position_since).toBe(7);
  expect(applyEvent(offer, moved).position_since).toBe(8);
  const undone: EventMessage = { number: 8, at: 0, event: { kind: "undone", seat: 0, keep: 0 } };
  expect(applyEvent(offer, undone).position_since).toBe(8);
});
