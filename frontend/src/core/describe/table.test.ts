import { expect, test } from "vitest";
import { shelf } from "$core/tables/game-cards.svelte.ts";
import type { Effect, GameCard, TableView } from "$core/http/types.ts";
import { words } from "$core/i18n/words.svelte.ts";
import { seatName, seatRemark, tellResult, tellShown, tellStep, winnersOf } from "./table.ts";

const over = (...shares: number[]) =>
  ({
    game: "objectif",
    seats: shares.map((_, seat) => ({ name: "ABCD"[seat], taken: true })),
    result: { shares, reason: "resigned" },
  }) as TableView;

test("nobody has won a draw of all", () => {
  expect(winnersOf(over(0.5, 0.5))).toEqual([]);
  expect(tellResult(over(0.5, 0.5)).who).toBe("A draw");
});

test("a win may be shared, but not by all", () => {
  expect(winnersOf(over(0.5, 0, 0.5))).toEqual([0, 2]);
  expect(tellResult(over(0.5, 0, 0.5)).who).toBe("A and C share the win");
  expect(winnersOf(over(0, 1))).toEqual([1]);
});

test("whoever plays is told how it ended for them", () => {
  const told = (seats: number[], ...shares: number[]) => {
    const { ending, title, who } = tellResult(over(...shares), seats);
    return [ending, title, who];
  };
  expect(told([0], 1, 0)).toEqual(["won", "You won!", "You won!"]);
  expect(told([1], 1, 0)).toEqual(["lost", "You lost", "A wins"]);
  expect(told([2], 0.5, 0, 0.5)).toEqual(["shared", "You share the win", "A and C share the win"]);
  expect(told([1], 0.5, 0, 0.5)).toEqual(["lost", "You lost", "A and C share the win"]);
  expect(told([1], 0.5, 0.5)).toEqual(["draw", "A draw", "A draw"]);
});

test("whoever watches, or shares a device, is told who won", () => {
  expect(tellResult(over(0, 1), []).title).toBe("B wins");
  expect(tellResult(over(0, 1), [0, 1])).toMatchObject({ ending: "watched", title: "B wins" });
});

test("what a bot played for somebody they have neither won nor lost", () => {
  const table = over(0, 1);
  Object.assign(table.seats[1]!, { away: true, level: 2 });
  expect(tellResult(table, [1])).toMatchObject({ ending: "watched", title: "Bot for B wins" });
});

test("a bot has a name of its own, and a level beside it; one that stands in is somebody's", () => {
  shelf.cards = [{ levels: [{ level: 1, names: { en: "Pebble" } }] } as unknown as GameCard];
  const bot = { name: "Nefer", level: 1 };
  expect([seatName(bot, 1), seatRemark(bot)]).toEqual(["Nefer", "Pebble"]);
  expect(seatName({ name: "Ann", level: 1, taken: true, away: true }, 0)).toBe("Bot for Ann");
  expect(seatName({ level: 1, taken: true, away: true }, 0)).toBe("Bot: Pebble"); // who was erased
});

test("whose dice they were is told", () => {
  const step = { move: "=ab", effects: [] };
  expect(tellStep(over(0, 1), { ...step, thrower: 1 })).toBe("B: =ab");
  expect(tellStep(over(0, 1), step)).toBe("Dice: =ab");
});

test("what comes of a throw is told when all its dice are seen", async () => {
  await words.need("batisseurs");
  const table = { ...over(0, 1), game: "batisseurs" } as TableView;
  const effects: Effect[] = [
    ["die", null, "dice", "e", 1],
    ["die", null, "dice", "f", 1],
    ["bust", null, null, null, 1],
    ["lose", "2:a1", null, "o", 1],
  ];
  const step = { move: "=ef", effects, thrower: 1 };
  expect(effects.map((effect) => tellShown(table, step, effect))).toEqual([
    "B: blue",
    "B: blue, lilac",
    "B: blue, lilac. Nothing fits: 1 block lost",
    "B: blue, lilac. Nothing fits: 1 block lost",
  ]);
});
