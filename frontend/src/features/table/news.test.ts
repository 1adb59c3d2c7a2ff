import { expect, test } from "vitest";
import { after, Missed, tellsTime } from "./news.ts";
import { DROP, TABLE } from "$testing/table.ts";
import { isOver, type TableView, type EventMessage } from "$core/http/types.ts";

const table: TableView = {
  ...TABLE,
  number: 7,
  moves: ["x"],
  view: "v7",
  last: [{ move: "x", effects: [] }],
  legal: [{ move: "y", effects: [DROP] }],
};

const moved: EventMessage = {
  number: 8,
  at: 0,
  event: { kind: "moved", seat: 0, move: "y" },
  effects: [DROP],
  now: { to_move: 1, view: "v8" },
};

test("a move is added, followed on the drawing, and ends what was to be chosen", () => {
  const next = after(table, moved);
  expect(next).toMatchObject({
    number: 8,
    moves: ["x", "y"],
    drawing: { hand: "p", a1: "p" },
    last: [{ move: "y", effects: [DROP] }],
    to_move: 1,
    view: "v8",
    seats: table.seats,
  });
  expect(next.legal).toBeUndefined();
  expect(table.moves).toEqual(["x"]); // what was known stays as it was
});

test("a throw is a move of nobody's", () => {
  const next = after(table, { ...moved, event: { kind: "threw", throw: "=ab", draw: 0 } });
  expect(next.moves).toEqual(["x", "=ab"]);
});

test("talk changes nothing but the number", () => {
  const said: EventMessage = { number: 8, at: 0, event: { kind: "said", seat: 1, text: "hm" } };
  expect(after(table, said)).toEqual({ ...table, number: 8 });
});

test("numbers are without gap or repeat", () => {
  expect(() => after(table, { ...moved, number: 9 })).toThrow(Missed);
  expect(() => after(table, { ...moved, number: 7 })).toThrow(Missed);
});

test("an effect that does not fit is not shown", () => {
  expect(() => after(table, { ...moved, effects: [["put", "hand", "a1", "q", 0]] })).toThrow(Missed);
  expect(() => after(table, { ...moved, effects: [["put", "hand", "z9", "p", 0]] })).toThrow(Missed);
});

test("an undo brings the drawing, and the move before", () => {
  const undone: EventMessage = {
    number: 8,
    at: 0,
    event: { kind: "undone", seat: 1, keep: 0 },
    now: { to_move: 1, view: "v0", drawing: { hand: "ppp", a1: "" } },
  };
  const next = after({ ...table, undo: { kind: "undo-asked", seat: 1, keep: 0 } }, undone);
  expect(next).toMatchObject({ moves: [], drawing: { hand: "ppp", a1: "" } });
  expect(next.last).toBeUndefined();
  expect(next.undo).toBeUndefined();
});

test("of what was missed only the newest has what is now", () => {
  const told: EventMessage[] = [
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
  const next = told.reduce(after, table);
  expect(next).toMatchObject({ number: 11, moves: ["x", "y"], drawing: { hand: "p", a1: "p" }, to_move: 1 });
});

test("a drawing that was promised must come", () => {
  const undone: EventMessage = {
    number: 8,
    at: 0,
    event: { kind: "undone", seat: 1, keep: 0 },
    now: { view: "v" },
  };
  expect(() => after(table, undone)).toThrow(Missed);
});

test("who was drawn to another seat is there", () => {
  const began: EventMessage = {
    number: 8,
    at: 0,
    event: { kind: "began", order: [1, 0], start: "v8", draws: 0 },
    now: { to_move: 0, view: "v8", drawing: { a1: "" }, seats: [...table.seats].reverse() },
  };
  const next = after({ ...table, start: undefined, drawing: undefined, moves: undefined }, began);
  expect(next).toMatchObject({ you: 1, start: "v8", seats: [{ name: "Bob" }, { name: "Ann" }] });
});

test("clocks go to the seats", () => {
  const told: EventMessage = { ...moved, now: { ...moved.now, clocks: [5, 6] } };
  expect(after(table, told).seats).toEqual([
    { name: "Ann", taken: true, left: 5 },
    { name: "Bob", taken: true, left: 6 },
  ]);
  expect(tellsTime(told)).toBe(true);
  expect(tellsTime(moved)).toBe(false);
});

test("facts stay until others are told", () => {
  const before = { ...table, facts: { control: ["r", "b"] } };
  expect(after(before, moved).facts).toEqual({ control: ["r", "b"] });
  expect(after(before, { ...moved, facts: { control: ["", "b"] } }).facts).toEqual({ control: ["", "b"] });
});

test("a table that is closed before its game says so", () => {
  const lobby: TableView = {
    ...table,
    start: undefined,
    moves: undefined,
    drawing: undefined,
    legal: undefined,
  };
  const closed = after(lobby, { number: 8, at: 0, event: { kind: "expired" }, now: { expired: true } });
  expect([isOver(lobby), isOver(closed)]).toEqual([false, true]);
});

test("the position is as old as the last event that changed it", () => {
  const offer = { ...table, position_since: 7 };
  const said: EventMessage = { number: 8, at: 0, event: { kind: "said", seat: 1, text: "hm" } };
  expect(after(offer, said).position_since).toBe(7);
  expect(after(offer, moved).position_since).toBe(8);
  const undone: EventMessage = { number: 8, at: 0, event: { kind: "undone", seat: 0, keep: 0 } };
  expect(after(offer, undone).position_since).toBe(8);
});
