import { describe, expect, it } from "vitest";
import { paletteOf } from "$engine/pieces/palette.ts";
import { fileOf, greyed, kitOf } from "./kit.ts";

const GAMES = ["objectif", "pyramidis", "batisseurs", "quadrille"];

/** Where there are words, whatever they say. */
function shape(value: unknown): unknown {
  if (typeof value === "string") return value ? "words" : "";
  if (Array.isArray(value)) return value.map(shape);
  if (value && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shape(each)]));
  return value;
}

describe("a kit", () => {
  it.each(GAMES)("of %s says the same in both languages, on two pages of rules", async (game) => {
    const [en, fr] = await Promise.all(["en", "fr"].map((language) => kitOf(game, language)!()));
    expect(shape(en!.book)).toEqual(shape(fr!.book));
    expect(en!.book.pages).toHaveLength(2);
    const text = JSON.stringify(fr!.book.pages);
    expect(text).not.toMatch(/[^\u202f][:;!?](?=[ "])(?<!":)|« | »|'/);
  });

  it("is there for games that have one", () => {
    expect(kitOf("chess", "en")).toBeNull();
    expect(kitOf("quadrille", "de")).toBeNull();
  });

  it("has a file of its own for each way to print it", () => {
    expect(fileOf("quadrille", "fr", "letter", true)).toBe("quadrille-fr-letter-bw.pdf");
    expect(fileOf("quadrille", "en", "a4", false)).toBe("quadrille-en-a4.pdf");
  });

  it.each(GAMES)("of %s in greys tells every two colours apart", (game) => {
    const fills = Object.values(greyed(paletteOf(game))).map(({ fill }) => parseInt(fill.slice(1, 3), 16));
    const sorted = fills.toSorted((a, b) => a - b);
    for (let at = 1; at < sorted.length; at++) expect(sorted[at]! - sorted[at - 1]!).toBeGreaterThan(30);
  });
});
