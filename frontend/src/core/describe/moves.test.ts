import { beforeAll, expect, test } from "vitest";
import { describeAdvice, describeEffects, describeMove } from "./moves.ts";
import { refusalWords } from "./errors.ts";
import type { Effect } from "$core/http/types.ts";
import { words } from "$core/i18n/words.svelte.ts";

beforeAll(() => words.need("batisseurs"));

const dice = (faces: string) => [...faces].map((face): Effect => ["die", null, "dice", face, 0]);
const gather: Effect = ["gather", "dice", null, "f", 0];
const bust: Effect = ["bust", null, null, null, 0];
const lose: Effect = ["lose", "1:a1", null, "o", 0];
const use: Effect = ["use", "dice", null, "b", 0];
const place: Effect = ["place", null, "1:b2", "o", 0];
const win: Effect = ["win", "1:a1", "1:a1", "x", 0];

test("kinds that follow each other are told in words of their own, if there are any", () => {
  expect(describeEffects("batisseurs", dice("aab"))).toBe("red, red, orange");
  expect(describeEffects("batisseurs", [...dice("ff"), bust, gather])).toBe(
    "lilac, lilac. The first roll gives nothing: the turn passes",
  );
  expect(describeEffects("batisseurs", [...dice("f"), bust, lose, lose, lose, gather])).toBe(
    "lilac. Nothing fits: 3 blocks lost",
  );
  expect(describeEffects("batisseurs", [use, place])).toBe("places the 2nd orange block");
  expect(describeEffects("batisseurs", [use, place, win, win, gather])).toBe(
    "places the 2nd orange block, 2 blocks won",
  );
});

test("what is not worth telling is left out; a move may be told by its name", () => {
  expect(describeEffects("batisseurs", [gather])).toBe("");
  expect(describeMove("batisseurs", { move: "roll", effects: [gather] })).toBe("rolls again");
  expect(describeMove("batisseurs", { move: "what", effects: [] })).toBe("what");
});

test("advice is not said as what somebody did", () => {
  expect(describeAdvice("batisseurs", { move: "b2", effects: [use, place, win, gather] })).toBe(
    "place the 2nd orange block, win 1 block",
  );
  expect(describeAdvice("batisseurs", { move: "stop", effects: [win, win, gather] })).toBe(
    "stop, and keep the blocks",
  );
  expect(describeAdvice("batisseurs", { move: "what", effects: [] })).toBe("what");
});

test("a refusal calls a place by words where its board does not name it", () => {
  expect(refusalWords("batisseurs", { rule: "no-support", parameters: { place: "f1" } })).toBe(
    "The 1st lilac block must rest on both blocks just below it.",
  );
});
