import { describe, expect, it } from "vitest";
import { ANY, suits } from "./filters.ts";

const card = { players: [2, 4], ages: { least: 8, most: null }, minutes: { least: 20, most: 30 } };

describe("filters", () => {
  it("keeps everything while nothing is wished for", () => {
    expect(suits(card, ANY)).toBe(true);
  });

  it("compares players, the youngest and the longest game", () => {
    expect(suits(card, { ...ANY, players: 3 })).toBe(false);
    expect(suits(card, { ...ANY, players: 4 })).toBe(true);
    expect(suits(card, { ...ANY, youngest: 6 })).toBe(false);
    expect(suits(card, { ...ANY, youngest: 8 })).toBe(true);
    expect(suits(card, { ...ANY, minutes: 15 })).toBe(false);
    expect(suits(card, { ...ANY, minutes: 30 })).toBe(true);
  });

  it("lets pass what is not known, and grown-ups", () => {
    const unknown = { players: [2], ages: null, minutes: null };
    expect(suits(unknown, { players: 2, youngest: 5, minutes: 15 })).toBe(true);
    expect(suits({ ...unknown, ages: { least: 5, most: 10 } }, { ...ANY, youngest: 12 })).toBe(true);
  });
});
