// A game's facts in words.

import { t, words } from "../lib/words.svelte.ts";
import type { GameCard } from "../lib/types.ts";
import { countsIn, numbersIn } from "./filters.ts";

export function factsOf(card: GameCard): string[] {
  const facts = [t("shelf.players", { counts: countsIn(card.players, words.language) })];
  const ages = numbersIn(card.ages);
  if (ages.length > 1) facts.push(t("shelf.ages", { low: ages[0]!, high: ages[1]! }));
  else if (ages.length) facts.push(t("shelf.age", { low: ages[0]! }));
  if (card.minutes) facts.push(t("shelf.minutes", { minutes: card.minutes }));
  return facts;
}
