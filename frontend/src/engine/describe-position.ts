// A position in words, for whoever prefers them to a picture: places, what lies on them, what the rules tell.

import type { Scene } from "./contract.ts";
import { colourName } from "$core/describe/moves.ts";
import { t, words } from "$core/i18n/words.svelte.ts";

type Seen = Pick<Scene, "game" | "names">;

/** A place as it is spoken of: `Stock of Ann` for `stock:1`; the bare name where a game has no words for it. */
export function placeWords({ game, names }: Seen, place: string): string {
  const [name, kind] = place.split(":").reverse() as [string, string?];
  if (kind === undefined) {
    const key = `${game}.place.${name}`;
    return words.has(key) ? t(key) : said(`${game}.place`, place, { place });
  }
  const side = /^\d+$/; // a seat's, counted from one
  if (side.test(kind))
    return said(`${game}.place.side`, place, { place: name, name: names[+kind - 1] ?? kind });
  const own = `${game}.place.${kind}.${name}`;
  if (words.has(own)) return t(own);
  const owner: Record<string, string> = side.test(name)
    ? { name: names[+name - 1] ?? name }
    : { colour: colourWords(game, name) };
  return said(`${game}.place.${kind}`, place, owner);
}

function said(key: string, otherwise: string, parameters: Record<string, string>): string {
  return words.has(key) ? t(key, parameters) : otherwise;
}

/** What lies on a place, bottom to top: `8 brown`, not eight times brown. */
export function pileWords(game: string, pieces: string): string {
  const runs = pieces.match(/(.)\1*/gu) ?? [];
  return runs.map((run) => pieceWords(game, run[0]!, run.length)).join(", ");
}

/** So many of a piece; small letters and capitals may be different things. */
export function pieceWords(game: string, piece: string, n = 1): string {
  const letter = piece.toLowerCase();
  const key = piece === letter ? `${game}.piece.${letter}` : `${game}.piece.capital-${letter}`;
  if (words.has(`${key}.other`)) return t(key, { n });
  const one = words.has(key) ? t(key) : colourWords(game, piece);
  return n === 1 ? one : t("text-board.run", { n, piece: one });
}

function colourWords(game: string, letter: string): string {
  return words.has(`${game}.colour.${letter.toLowerCase()}`) ? colourName(game, letter) : letter;
}

/** What the rules tell of each player, as far as we may know it: `Ann controls blue and red`. */
export function factWords({ game, names, facts }: Pick<Scene, "game" | "names" | "facts">): string[] {
  return Object.entries(facts).flatMap(([fact, told]) => {
    const key = `${game}.fact.${fact}`;
    if (!words.has(key) || !Array.isArray(told)) return [];
    return told.map(String).flatMap((letters, seat) => {
      if (!letters || letters === "?") return [];
      // A capital is a piece; a small letter its colour only.
      const named = (each: string) => (/\p{Lu}/u.test(each) ? pieceWords : colourWords)(game, each);
      const all = words.list([...letters].map(named));
      return [t(key, { name: names[seat] ?? "", all })];
    });
  });
}
