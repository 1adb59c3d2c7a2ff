// The options of a game, from its card.

import type { GameCard } from "$core/http/types.ts";

/** The values of the game's own option for so many players; none if they have no choice. */
export function valuesFor({ option }: GameCard, players: number): string[] {
  if (!option.players.includes(players)) return [];
  return option.values.filter((value) => option.limits[value]?.includes(players) ?? true);
}
