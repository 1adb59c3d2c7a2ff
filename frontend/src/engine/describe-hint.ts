// A hint in words.

import { colourName, namedPlaces, placeName, describeAdvice } from "$core/describe/moves.ts";
import type { Hint } from "$core/http/types.ts";
import { lookUp, t, words } from "$core/i18n/words.svelte.ts";
import type { Scene } from "./contract.ts";
import { placeWords } from "./describe-position.ts";

/** A hint in words, at its last step. */
export function tellHint(scene: Pick<Scene, "game" | "names">, { places, idea, move }: Hint): string {
  const { game, names } = scene;
  if (move) return t("hint.move", { did: describeAdvice(game, move) });
  if (!idea) {
    const named = places.map((place) =>
      /^\d+:/.test(place) ? placeName(game, place) : inSentence(scene, place),
    );
    return named.length > 0 ? t("hint.look", { places: words.list(named) }) : t("hint.nowhere");
  }
  const { colour, seat, ...parameters } = namedPlaces(game, idea.parameters);
  if (colour !== undefined) parameters.colour = colourName(game, String(colour));
  if (seat !== undefined) parameters.name = names[Number(seat)] ?? "";
  return lookUp(idea.general ? `idea.${idea.id}` : `${game}.idea.${idea.id}`, parameters) ?? "";
}

/** A place as it is spoken of in the middle of a sentence. */
function inSentence(scene: Pick<Scene, "game" | "names">, place: string): string {
  const name = placeWords(scene, place);
  return name === place ? name : name.charAt(0).toLowerCase() + name.slice(1);
}
