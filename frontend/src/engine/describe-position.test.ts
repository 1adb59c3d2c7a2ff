import { beforeAll, expect, test } from "vitest";
import { words } from "$core/i18n/words.svelte.ts";
import { factWords, pileWords, placeWords } from "./describe-position.ts";

const at = (game: string) => ({ game, names: ["Ann", "Bob"] });

beforeAll(async () => {
  for (const game of ["objectif", "pyramidis", "batisseurs", "quadrille"]) await words.need(game);
});

test("a pile is counted, from bottom to top", () => {
  expect(pileWords("pyramidis", "bbbbbbbb")).toBe("8 brown");
  expect(pileWords("pyramidis", "bbmt")).toBe("2 brown, mustard, turquoise");
  expect(pileWords("pyramidis", "")).toBe("");
});

test("a black pawn is no blue token", () => {
  expect(pileWords("quadrille", "bB")).toBe("blue, black pawn");
  expect(pileWords("quadrille", "WW")).toBe("2 white pawns");
});

test("places are spoken of by whose they are", () => {
  expect(placeWords(at("objectif"), "stock:1")).toBe("Stock of Ann");
  expect(placeWords(at("batisseurs"), "2:a1")).toBe("a1, Bob");
  expect(placeWords(at("batisseurs"), "dice")).toBe("Dice");
  expect(placeWords(at("quadrille"), "pawns:w")).toBe("White pawns not yet on the board");
  expect(placeWords(at("pyramidis"), "home:b")).toBe("At home, brown");
});

test("what has no words has its name", () => {
  expect(placeWords(at("pyramidis"), "d4")).toBe("d4");
  expect(placeWords(at("heap"), "stock:1")).toBe("stock:1");
  expect(placeWords(at("heap"), "1:a")).toBe("1:a");
  expect(pileWords("heap", "xxx")).toBe("3 x");
});

test("what the rules tell of players is told, but for what we may not know", () => {
  const facts = { goals: ["g", "?"], counts: { o: [1] } };
  expect(factWords({ ...at("objectif"), facts })).toEqual(["Goal of Ann: green"]);
  const control = { colours: ["W", "B"], control: ["", "br"] };
  expect(factWords({ ...at("quadrille"), facts: control })).toEqual([
    "Ann: white pawn",
    "Bob: black pawn",
    "Bob controls blue and red",
  ]);
});
