// Which games of the shelf suit: what a card does not know excludes nothing.

import type { GameCard } from "$core/http/types.ts";

export interface Wishes {
  players: number; // 0: any
  youngest: number; // years; 0: any
  minutes: number; // at most; 0: any
}

export const ANY: Wishes = { players: 0, youngest: 0, minutes: 0 };

/** An upper age is no bar: grown-ups play along. */
export function suits(card: Pick<GameCard, "players" | "ages" | "minutes">, wishes: Wishes): boolean {
  const { ages, minutes } = card;
  return (
    (!wishes.players || card.players.includes(wishes.players)) &&
    (!wishes.youngest || !ages || ages.least <= wishes.youngest) &&
    (!wishes.minutes || !minutes || (minutes.most ?? Infinity) <= wishes.minutes)
  );
}
