import { describe, expect, it } from "vitest";
import { ANY, countsIn, numbersIn, suits } from "./filters.ts";

const card = { players: [2, 4], ages: "8+", minutes: "20–30" };

describe("filters", () => {
  it("reads numbers", () => {
    expect(numbersIn("20–30")).toEqual([20, 30]);
    expect(numbersIn("8+")).toEqual([8]);
    expect(numbersIn("")).toEqual([]);
  });

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
    expect(suits({ players: [2], ages: "", minutes: "" }, { players: 2, youngest: 5, minutes: 15 })).toBe(
      true,
    );
    expect(suits({ players: [2], ages: "5–10", minutes: "" }, { ...ANY, youngest: 12 })).toBe(true);
  });
});

it("counts players as people do", () => {
  expect(countsIn([2], "en")).toBe("2");
  expect(countsIn([2, 3, 4], "en")).toBe("2–4");
  expect(countsIn([2, 4], "en")).toBe("2 or 4");
  expect(countsIn([2, 4], "fr")).toBe("2 ou 4");
});
