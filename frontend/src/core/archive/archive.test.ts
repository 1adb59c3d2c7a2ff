import { beforeEach, expect, it, vi } from "vitest";
import { device } from "$core/device/device.svelte.ts";
import { tablesOfMine } from "$core/tables/seats.ts";
import type { TableOfMine } from "$core/http/types.ts";
import { BadFile, MOST, readFile, written } from "./file.ts";
import { history } from "./history.ts";
import { againstOf, gamesOf, outcomeOf, tallyOf, type GamePlayed } from "./played.ts";

function game(table: string, more: Partial<GamePlayed> = {}): GamePlayed {
  const seats = [{ name: "Ann" }, { name: "Ramses", level: 2 }];
  return { table, game: "quadrille", at: 1000, you: [0], seats, shares: [1, 0], reason: "quiet", ...more };
}

function told(id: string, more: Partial<TableOfMine> = {}): TableOfMine {
  return {
    id,
    game: "objectif",
    number: 30,
    position_since: 30,
    you: 0,
    to_move: null,
    your_turn: false,
    begun: true,
    starting: null,
    over: true,
    expired: false,
    seats: [
      { name: "Ann", taken: true, hints: 2 },
      { name: "Bob", taken: true, level: 3, away: true },
      { name: "Ramses", level: 4 },
    ],
    rematch: "",
    result: { shares: [0, 0.5, 0.5], reason: "pieces" },
    ended: 5000,
    ...more,
  };
}

const refused = (text: string, why: string, n = 0) =>
  expect(() => readFile(text)).toThrow(expect.objectContaining({ why, n }) as BadFile);

beforeEach(() => {
  history.clear();
  localStorage.clear();
  device.seats = [];
});

it("makes a game of what the server tells, once for all our seats", () => {
  const [one, ...others] = gamesOf([told("a"), told("a", { you: 2 }), told("b", { result: null })]);
  expect(others).toEqual([]);
  expect(one).toEqual({
    table: "a",
    game: "objectif",
    at: 5000,
    you: [0, 2],
    seats: [{ name: "Ann", hints: 2 }, { name: "Bob" }, { name: "Ramses", level: 4 }],
    shares: [0, 0.5, 0.5],
    reason: "pieces",
  });
});

it("tells whom we played and how it ended", () => {
  expect([againstOf(game("a")), outcomeOf(game("a"))]).toEqual([2, "won"]);
  expect(outcomeOf(game("a", { shares: [0.5, 0.5] }))).toBe("drawn");
  const [mixed] = gamesOf([told("a")]);
  expect([againstOf(mixed!), outcomeOf(mixed!)]).toEqual(["people", "lost"]);
  expect(outcomeOf(game("a", { you: [0, 1] }))).toBe("together");
});

it("counts by game and level, people last", () => {
  const people = { seats: [{ name: "Ann" }, { name: "Bob" }] };
  const strong = { seats: [{ name: "Ann" }, { name: "Bot", level: 6 }], shares: [0, 1] };
  const games = [game("a"), game("b", people), game("c", strong), game("d"), game("e", { you: [0, 1] })];
  expect([...tallyOf(games, null)]).toEqual([
    [
      "quadrille",
      [
        { against: 2, won: 2, lost: 0, drawn: 0 },
        { against: 6, won: 0, lost: 1, drawn: 0 },
        { against: "people", won: 1, lost: 0, drawn: 0 },
      ],
    ],
  ]);
});

it("notes a finished game once, also if it was cleared since", async () => {
  device.hold("a", "token", "objectif");
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify({ tables: [told("a")] })));
  await tablesOfMine();
  await vi.waitFor(() => expect(history.kept.games).toHaveLength(1));
  expect(device.seats).toMatchObject([{ over: true, noted: true }]);
  history.clear();
  await tablesOfMine();
  expect(history.kept.games).toHaveLength(0);
  vi.unstubAllGlobals();
});

it("writes a file without tokens that is read again", () => {
  device.hold("a", "token-of-the-seat", "objectif");
  history.note([told("a"), told("b")]);
  const text = written(history.kept);
  expect(text).not.toContain("token");
  const { games, earlier } = history.kept;
  history.clear();
  expect(history.join(readFile(text))).toMatchObject({ added: 2, known: 0 });
  expect(history.kept).toEqual({ games, earlier });
  expect(history.join(readFile(text))).toMatchObject({ added: 0, known: 2 });
  expect(history.kept.games).toHaveLength(2);
});

it("keeps games in order, the last first, when files are joined", () => {
  history.join({ games: [game("b", { at: 20 })], earlier: null });
  history.join(readFile(written({ games: [game("a", { at: 10 }), game("c", { at: 30 })], earlier: null })));
  expect(history.kept.games.map(({ table }) => table)).toEqual(["c", "b", "a"]);
});

it("refuses bad files with a reason, and takes nothing of them", () => {
  const file = (games: unknown, more = {}) =>
    JSON.stringify({ "benben-games": 1, games, earlier: null, ...more });
  refused("{", "no-json");
  refused("[]", "not-ours");
  refused(`{"games": []}`, "not-ours");
  refused(file({}), "not-ours");
  refused(file([game("a"), game("a")]), "not-ours");
  refused(file([], { "benben-games": 2 }), "newer");
  refused(" ".repeat(4_000_001), "too-large");
  refused(file([], { earlier: { until: 1, games: 1, counts: { "x/9x": {} } } }), "bad-earlier");
  const bad: Partial<Record<keyof GamePlayed, unknown>>[] = [
    { table: "../x" },
    { game: "<b>" },
    { at: "now" },
    { at: Date.now() + 1e10 },
    { you: [] },
    { you: [2] },
    { you: [0, 0] },
    { seats: [{ name: "Ann" }] },
    { seats: [{ name: "Ann" }, { name: "x".repeat(65) }] },
    { seats: [{ name: "Ann" }, { name: "Bob", level: 99 }] },
    { shares: [1, 1] },
    { reason: 7 },
  ];
  for (const each of bad) refused(file([game("good"), { ...game("a"), ...each }]), "bad-game", 2);
  expect(history.kept.games).toHaveLength(0);
  const [read] = readFile(file([{ ...game("a"), token: "secret" }])).games;
  expect(read).toEqual(game("a"));
});

it("only counts the oldest of very many, and takes none of these twice", () => {
  const many = Array.from({ length: MOST + 3 }, (_, at) => game(`t${at}`, { at: at + 1 }));
  history.join({ games: many, earlier: null });
  expect(history.kept.games).toHaveLength(MOST);
  expect(history.kept.earlier).toEqual({
    until: 3,
    games: 3,
    counts: { "quadrille/2": { won: 3, lost: 0, drawn: 0 } },
  });
  expect(tallyOf(history.kept.games, history.kept.earlier).get("quadrille")![0]!.won).toBe(MOST + 3);
  expect(history.join({ games: many.slice(0, 2), earlier: null })).toMatchObject({ added: 0, counted: 2 });
  const { kept } = history;
  expect(history.join(readFile(written(kept)))).toMatchObject({ added: 0, earlier: false });
  history.clear();
  history.join(readFile(written(kept)));
  expect(history.kept).toEqual(kept);
  expect(history.join({ games: [], earlier: { ...kept.earlier!, games: 4 } })).toMatchObject({
    earlier: true,
  });
});

it("counts where storage is small, and says so where there is none", () => {
  let room = 10_000; // characters
  vi.stubGlobal("localStorage", {
    getItem: () => null,
    setItem: (_: string, text: string) => {
      if (text.length > room) throw new Error("full");
    },
  });
  history.join({
    games: Array.from({ length: 500 }, (_, at) => game(`t${at}`, { at: at + 1 })),
    earlier: null,
  });
  expect(history.unkept).toBe(false);
  expect(history.kept.games.length).toBeLessThan(100);
  expect(history.kept.games.length + history.kept.earlier!.games).toBe(500);
  room = 0;
  history.clear();
  history.join({ games: [game("a"), game("b")], earlier: null });
  expect(history.unkept).toBe(true);
  expect(history.kept.games).toHaveLength(2);
  vi.unstubAllGlobals();
});
