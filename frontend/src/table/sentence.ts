// What the server has found out about a game, as a sentence.

import { colourName } from "../lib/telling.ts";
import { t } from "../lib/words.svelte.ts";

/** Its words are those of any review, or of a game's own. */
export interface Sentence {
  id: string;
  parameters: Record<string, string | number>;
  general: boolean;
}

/** In words; `names` are those of the seats. */
export function tellSentence(
  game: string,
  names: readonly string[],
  { id, parameters, general }: Sentence,
): string {
  const { seat, other, colour, ...told } = parameters;
  const name = (of: string | number) => names[Number(of)] ?? "";
  if (seat !== undefined) told.name = name(seat);
  if (other !== undefined) told.other = name(other);
  if (colour !== undefined) told.colour = colourName(game, String(colour));
  return t(general ? `review.said.${id}` : `${game}.said.${id}`, told);
}
