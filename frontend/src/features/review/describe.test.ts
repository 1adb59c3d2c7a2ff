import { beforeAll, describe, expect, test } from "vitest";
import { device } from "$core/device/device.svelte.ts";
import { words } from "$core/i18n/words.svelte.ts";
import { tellSentence } from "$core/describe/findings.ts";
import { colourName } from "$core/describe/moves.ts";
import { namesOf, percent, signed, tellChances, tellGrade } from "./describe.ts";

beforeAll(() => words.need("objectif"));

describe("chances", () => {
  test("are whole, and neither nothing nor all unless they are", () => {
    expect([0, 0.002, 0.5, 0.996, 1].map(percent)).toEqual(["0%", "under 1%", "50%", "over 99%", "100%"]);
    expect(tellChances(["Ann", "Bob"], [0.25, 0.75])).toBe("Ann 25%, Bob 75%");
  });

  test("change with a sign, and to tenths where that matters", () => {
    expect([0.124, -0.031, 0, -0.5].map(signed)).toEqual(["+12%", "−3.1%", "0%", "−50%"]);
  });
});

test("a grade says what was given away, if anything was", () => {
  expect(tellGrade({ grade: "blunder", lost: 0.42 })).toBe("Blunder: 42% given away");
  expect(tellGrade({ grade: "best", lost: 0 })).toBe("Best move");
  expect(tellGrade({ grade: null, lost: 0 })).toBe("");
});

test("who sat there has a name, be it a seat's number", () => {
  expect(namesOf({ names: ["Ann", ""], levels: [0, 0] })).toEqual(["Ann", "Seat 2"]);
});

test("sentences name people and colours, by a game's own words or by general ones", () => {
  const names = ["Ann", "Bob"];
  const about = { seat: 1, move: "y@2", best: "b@7", percent: 12 };
  const moves = {
    move: { kind: "cancel", move: "y@2", n: 2, source: "2", target: "", colour: "y" },
    best: { kind: "cover", move: "b@7", n: 1, source: "1", target: "7", colour: "b" },
  };
  expect(tellSentence("objectif", names, { id: "cost", parameters: about, general: true, moves })).toBe(
    "Bob gave away 12% with yellow on place 2. Better: blue on place 7.",
  );
  const parameters = { ...about, place: "7", colour: "v", other: 0 };
  expect(tellSentence("objectif", names, { id: "suspect", parameters, general: false })).toBe(
    "Bob left place 7 to violet, which Ann seemed to want (−12%).",
  );
});

test("a goal is blue as a goal is, not as a piece", async () => {
  expect(colourName("objectif", "b", "goal")).toBe("blue");
  device.settings.language = "fr";
  await words.load();
  expect(colourName("objectif", "b", "goal")).toBe("bleu");
  device.settings.language = "en";
  await words.load();
});
