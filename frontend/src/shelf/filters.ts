// Which games of the shelf suit: what a card does not know excludes nothing.

import type { GameCard } from "../lib/types.ts";

export interface Wishes {
  players: number; // 0: any
  youngest: number; // years; 0: any
  minutes: number; // at most; 0: any
}

export const ANY: Wishes = { players: 0, youngest: 0, minutes: 0 };

/** The numbers in a text such as `20–30` or `8+`. */
export function numbersIn(text: string): number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}

/** An upper age is no bar: grown-ups play along. */
export function suits(card: Pick<GameCard, "players" | "ages" | "minutes">, wishes: Wishes): boolean {
  const from = numbersIn(card.ages)[0];
  const longest = numbersIn(card.minutes).at(-1);
  return (
    (!wishes.players || card.players.includes(wishes.players)) &&
    (!wishes.youngest || from === undefined || from <= wishes.youngest) &&
    (!wishes.minutes || longest === undefined || longest <= wishes.minutes)
  );
}

/** `2–4`, `2 or 4`, `2`. */
export function countsIn(counts: number[], language: string): string {
  const [low, high] = [Math.min(...counts), Math.max(...counts)];
  const gapless = counts.length === high - low + 1;
  if (counts.length > 2 && gapless) return `${low}–${high}`;
  return new Intl.ListFormat(language, { type: "disjunction" }).format(counts.map(String));
}
