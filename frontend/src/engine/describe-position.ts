// A position in words, for people who prefer them to a picture: places, what lies on them, and what the rules add.

import type { Scene } from "./contract.ts";
import { colourName } from "$core/describe/moves.ts";
import { lookUp, t, words } from "$core/i18n/words.svelte.ts";

type Seen = Pick<Scene, "game" | "names">;

/** A place as it is spoken of: `Stock of Ann` for `stock:1`; the bare name where a game has no words for it. */
export function placeWords({ game, names }: Seen, place: string): string {
  const [name, kind] = place.split(":").reverse() as [string, string?];
  if (kind === undefined) {
    return lookUp(`${game}.place.${name}`) ?? lookUp(`${game}.place`, { place }) ?? place;
  }
  const side = /^\d+$/; // a seat's, counted from one
  if (side.test(kind))
    return lookUp(`${game}.place.side`, { place: name, name: names[+kind - 1] ?? kind }) ?? place;
  const owner: Record<string, string> = side.test(name)
    ? { name: names[+name - 1] ?? name }
    : { colour: colourName(game, name) };
  return lookUp(`${game}.place.${kind}.${name}`) ?? lookUp(`${game}.place.${kind}`, owner) ?? place;
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
  const colour = colourName(game, piece);
  return lookUp(key, { n }) ?? (n === 1 ? colour : t("text-board.run", { n, piece: colour }));
}

/** What the rules say of each player, as far as we may know it: `Ann controls blue and red`. */
export function factWords({ game, names, facts }: Pick<Scene, "game" | "names" | "facts">): string[] {
  return Object.entries(facts).flatMap(([fact, told]) => {
    if (!Array.isArray(told)) return [];
    return told.map(String).flatMap((letters, seat) => {
      if (!letters || letters === "?") return [];
      // A capital is a piece; a small letter its colour only.
      const named = (each: string) =>
        /\p{Lu}/u.test(each) ? pieceWords(game, each) : colourName(game, each, "goal");
      const all = words.list([...letters].map(named));
      return lookUp(`${game}.fact.${fact}`, { name: names[seat] ?? "", all }) ?? [];
    });
  });
}
