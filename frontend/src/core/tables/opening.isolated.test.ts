import { beforeEach, expect, test, vi } from "vitest";
import { request } from "$core/http/api.ts";
import { device } from "$core/device/device.svelte.ts";
import { levelsOf, opponentsFor, playAgainst, playNow } from "./opening.ts";
import { sitDown } from "./seats.ts";
import { shelf } from "./game-cards.svelte.ts";
import type { GameCard } from "$core/http/types.ts";

vi.mock("$core/http/api.ts", async (original) => ({
  ...(await original<typeof import("$core/http/api.ts")>()),
  request: vi.fn(async () => ({ id: "new" })),
}));
vi.mock("./seats.ts", () => ({ sitDown: vi.fn(async () => {}) }));

const card = {
  name: "pyramidis",
  players: [2, 4],
  default_players: 4,
  levels: [1, 2, 3, 4, 5, 6].map((level) => ({ level, names: {} })),
} as unknown as GameCard;

const wanted = () => (vi.mocked(request).mock.lastCall?.[1] as { body: Record<string, unknown> }).body;

beforeEach(() => {
  device.settings.opponents = {};
  vi.clearAllMocks();
});

test("at first one plays a bot of the usual level, with as few players as can be", async () => {
  expect(await playNow(card, () => {})).toBe("new");
  expect(wanted()).toMatchObject({ game: "pyramidis", players: 2, seats: [{ bot: 0 }, { bot: 2 }] });
  expect(vi.mocked(sitDown).mock.lastCall?.slice(0, 2)).toEqual(["new", 0]);
});

test("then whom one chose last for the game", async () => {
  await playAgainst("pyramidis", 4, { options: { players: 4 } });
  expect(opponentsFor(card)).toEqual({ level: 4, players: 4 });
  expect(opponentsFor({ ...card, name: "objectif" })).toEqual({ level: 2, players: 2 });
  await playNow(card, () => {});
  expect(wanted().seats).toEqual([{ bot: 0 }, { bot: 4 }, { bot: 4 }, { bot: 4 }]);
});

test("what is remembered and is there no more is as usual", () => {
  device.settings.opponents = { pyramidis: { level: 9, players: 3 } };
  expect(opponentsFor(card)).toEqual({ level: 2, players: 2 });
});

test("another level, and all else as at the table before", async () => {
  const table = {
    options: { players: 3, first: 2, mode: "fair" },
    you: 1,
    pace: { pace: "days", days: 2 },
    leaver: "bot",
    resign: "bot",
  } as const;
  await playAgainst("objectif", 5, table);
  expect(wanted()).toEqual({
    game: "objectif",
    players: 3,
    options: { first: 2, mode: "fair" },
    seats: [{ bot: 5 }, { bot: 0 }, { bot: 5 }],
    pace: { pace: "days", days: 2 },
    leaver: "bot",
    resign: "bot",
  });
  expect(vi.mocked(sitDown).mock.lastCall?.slice(0, 2)).toEqual(["new", 1]);
});

test("the levels of a game are those its card names", () => {
  expect(levelsOf("pyramidis")).toEqual([]);
  shelf.cards = [card];
  expect(levelsOf("pyramidis")).toEqual([1, 2, 3, 4, 5, 6]);
});
