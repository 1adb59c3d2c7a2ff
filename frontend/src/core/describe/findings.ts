// What the server has found out about a game, as a sentence.

import { colourName, namedPlaces, placeName } from "./moves.ts";
import type { Sentence } from "$core/http/types.ts";
import { lookUp } from "$core/i18n/words.svelte.ts";

/** In words; `names` are those of the seats. */
export function tellSentence(
  game: string,
  names: readonly string[],
  { id, parameters = {}, general, moves = {} }: Sentence,
): string {
  const { seat, other, colour, ...told } = namedPlaces(game, parameters);
  const name = (of: string | number) => names[Number(of)] ?? "";
  if (seat !== undefined) told.name = name(seat);
  if (other !== undefined) told.other = name(other);
  if (colour !== undefined) told.colour = colourName(game, String(colour));
  for (const [key, { kind, ...parts }] of Object.entries(moves))
    told[key] =
      lookUp(`${game}.named.${kind}`, {
        ...parts,
        move: placeName(game, parts.move),
        colour: parts.colour ? colourName(game, parts.colour) : "",
      }) ?? parts.move;
  return lookUp(general ? `review.said.${id}` : `${game}.said.${id}`, told) ?? "";
}
