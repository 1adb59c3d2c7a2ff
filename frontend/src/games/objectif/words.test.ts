import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Drawing, Effect } from "$core/http/types.ts";
import { words } from "$core/i18n/words.svelte.ts";
import { moveWords, placeWords } from "./words.ts";

const drawing: Drawing = { "1": "g", "2": "gOB", "stock:1": "BO" };
const cover: Effect[] = [["cover", "stock:1", "2", "O", 0]];
const coverBase: Effect[] = [["cover", "stock:1", "1", "B", 0]];
const cancel: Effect[] = [
  ["cancel", "stock:1", null, "B", 0],
  ["cancel", "2", null, "B", null],
];

async function speak(language: "en" | "fr"): Promise<void> {
  vi.spyOn(navigator, "languages", "get").mockReturnValue([language]);
  await words.load();
}

beforeAll(() => words.need("objectif"));
afterAll(() => speak("en"));

describe("in English", () => {
  beforeAll(() => speak("en"));

  it("says what lies on a place, from the top", () => {
    expect(placeWords(drawing, "1")).toBe("Place 1: green base");
    expect(placeWords(drawing, "2")).toBe("Place 2: blue, orange, green base");
  });

  it("says what a move does", () => {
    expect(moveWords(drawing, "2", cover)).toBe("Covers blue with orange");
    expect(moveWords(drawing, "2", cancel)).toBe("Both blue pieces go");
  });
});

describe("in French", () => {
  beforeAll(() => speak("fr"));

  it("has colours agree with pieces and bases", () => {
    expect(placeWords(drawing, "2")).toMatch(/pièce bleue, pièce orange, case verte$/);
    expect(moveWords(drawing, "1", coverBase)).toBe("Pièce bleue sur case verte");
  });
});
