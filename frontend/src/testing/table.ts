// A table for tests: two people, no move yet, and one that may be played.

import type { Effect, TableView } from "$core/http/types.ts";

export const DROP: Effect = ["put", "hand", "a1", "p", 0];

export const TABLE: TableView = {
  number: 3,
  game: "quadrille",
  options: {},
  pace: { pace: "none" },
  leaver: "wait",
  resign: "end",
  listed: false,
  drawn: false,
  commitment: "",
  playable: true,
  seats: [
    { name: "Ann", taken: true },
    { name: "Bob", taken: true },
  ],
  you: 0,
  to_move: 0,
  start: "s",
  moves: [],
  view: "v",
  drawing: { hand: "pp", a1: "" },
  legal: [{ move: "@a1", effects: [DROP] }],
};
