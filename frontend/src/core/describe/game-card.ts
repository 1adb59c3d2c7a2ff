// A game's card in words: what it takes to play, and where all of it is known from.

import { t, words } from "$core/i18n/words.svelte.ts";
import type { GameCard } from "$core/http/types.ts";

type Span = NonNullable<GameCard["ages"]>;

export interface Fact {
  field: string;
  value: string;
  whence: string; // unless it is the game's own sheet, and what else is to be said of it
}

export function factsOf(card: GameCard): string[] {
  const facts = [playersOf(card)];
  if (card.ages) facts.push(agesIn(card.ages));
  if (card.minutes) {
    const ours = card.credits.minutes?.origin === "ours";
    const minutes = spanned(card.minutes);
    facts.push(ours ? t("shelf.minutes.ours", { minutes }) : t("shelf.minutes", { minutes }));
  }
  return facts;
}

/** The author, the publishers and the prize: whom a game is owed to. */
export function peopleOf(card: GameCard): string[] {
  const by = card.authors.length ? t("shelf.by", { names: words.list(card.authors) }) : t("shelf.by-nobody");
  return [by, ...publishersOf(card), ...said(card.honours)];
}

/** Every field that somebody has told us, with whose word it is. */
export function creditsOf(card: GameCard): Fact[] {
  const values: Record<string, string[]> = {
    titles: said(card.titles),
    kind: said(card.kind),
    authors: card.authors.length ? [words.list(card.authors)] : [],
    artists: card.artists.length ? [words.list(card.artists)] : [],
    publishers: publishersOf(card),
    year: card.year ? [String(card.year)] : [],
    honours: said(card.honours),
    ages: card.ages ? [agesIn(card.ages)] : [],
    minutes: card.minutes ? [t("shelf.minutes", { minutes: spanned(card.minutes) })] : [],
    players: [playersOf(card)],
    components: said(card.components),
  };
  return Object.entries(card.credits).map(([field, { origin, note }]) => {
    const whence = origin === "sheet" ? "" : t(`shelf.origin.${origin}`);
    const more = note[words.textLanguage] ?? "";
    const [value] = values[field] ?? [];
    if (!value) return { field, value: more, whence }; // a custom of the table: there is nothing but the note
    return {
      field,
      value,
      whence: whence && more ? t("shelf.origin.more", { whence, more }) : whence || more,
    };
  });
}

function playersOf(card: GameCard): string {
  return t("shelf.players", { counts: countsIn(card.players, words.language) });
}

function publishersOf(card: GameCard): string[] {
  const names = card.publishers.map(({ name, year }) => `${name} ${year}`);
  return names.length ? [names.join(", ")] : [];
}

function agesIn({ least, most }: Span): string {
  return most === null ? t("shelf.age", { low: least }) : t("shelf.ages", { low: least, high: most });
}

function spanned({ least, most }: Span): string {
  return most === null || most === least ? String(least) : `${least}–${most}`;
}

function said(text: Record<string, string>): string[] {
  const here = text[words.textLanguage];
  return here ? [here] : [];
}

/** `2–4`, `2 or 4`, `2`. */
export function countsIn(counts: number[], language: string): string {
  const [low, high] = [Math.min(...counts), Math.max(...counts)];
  const gapless = counts.length === high - low + 1;
  if (counts.length > 2 && gapless) return `${low}–${high}`;
  return new Intl.ListFormat(language, { type: "disjunction" }).format(counts.map(String));
}
