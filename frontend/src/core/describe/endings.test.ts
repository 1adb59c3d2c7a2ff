import { beforeAll, expect, test } from "vitest";
import { device } from "$core/device/device.svelte.ts";
import { words } from "$core/i18n/words.svelte.ts";
import { reasonWords } from "./endings.ts";

const NAMES = ["Ann", "Bob", "Cleo"];

beforeAll(async () => {
  await Promise.all(["batisseurs", "objectif", "pyramidis", "quadrille"].map((game) => words.need(game)));
});

test("figures name everybody, the best first", () => {
  const result = { shares: [0, 1, 0], reason: "five-home" };
  expect(reasonWords("pyramidis", result, { figures: [2, 5, 3] }, NAMES)).toBe(
    "Bob brought 5 pyramids home; Cleo\u00a03 and Ann\u00a02.",
  );
});

test("whoever was out of it before is not compared", () => {
  const result = { shares: [1, 0, 0], reason: "most-piles" };
  expect(reasonWords("objectif", result, { figures: [4, 3, null] }, NAMES)).toBe(
    "Level on places; Ann’s colour has the most piles: Ann\u00a04 and Bob\u00a03.",
  );
});

test("a win may be shared", () => {
  const result = { shares: [0.5, 0, 0.5], reason: "shared" };
  expect(reasonWords("objectif", result, { figures: [6, null, 6] }, NAMES)).toBe(
    "Level on places (6 each), piles and tallest pile: Ann and Cleo.",
  );
});

test("where nothing is counted, people are named all the same", () => {
  expect(reasonWords("quadrille", { shares: [0, 1], reason: "cannot-step" }, {}, NAMES)).toBe(
    "Ann cannot step any more.",
  );
  expect(reasonWords("quadrille", { shares: [1, 0], reason: "resigned" }, {}, NAMES)).toBe("Bob resigned.");
  expect(reasonWords("pyramidis", { shares: [0, 1], reason: "time-out" }, {}, NAMES)).toBe(
    "Ann ran out of time.",
  );
});

test("in French too, and nothing is left open", async () => {
  device.settings.language = "fr";
  await words.load();
  const all = [
    ["batisseurs", "complete"],
    ["objectif", "most-places"],
    ["objectif", "most-piles"],
    ["objectif", "tallest-pile"],
    ["objectif", "shared"],
    ["pyramidis", "five-home"],
    ["pyramidis", "quiet"],
    ["quadrille", "cannot-step"],
    ["quadrille", "quiet"],
  ] as const;
  for (const [game, reason] of all) {
    const told = reasonWords(game, { shares: [1, 0, 0], reason }, { figures: [21, 15, 9] }, NAMES);
    expect(told).not.toMatch(/[{}]|reason/);
  }
  expect(
    reasonWords("batisseurs", { shares: [1, 0, 0], reason: "complete" }, { figures: [21, 15, 9] }, NAMES),
  ).toBe("Ann a posé ses 21 blocs\u202f; Bob\u00a015 et Cleo\u00a09.");
});
