// Why a game ended as it did, in words that name people and the figures that decided, which the server sends.

import type { Facts, ResultView } from "$core/http/types.ts";
import { lookUp, t, words } from "$core/i18n/words.svelte.ts";

/** Reasons that no game's rules know. */
const isGeneral = (reason: string): reason is "resigned" | "time-out" =>
  reason === "resigned" || reason === "time-out";

/** How many a seat has of what decided; seats that were out of it before have none. */
interface Figure {
  seat: number;
  name: string;
  n: number;
}

/** The figures that decided, the best first; none where nothing was counted. */
function figuresOf({ figures }: Facts, names: readonly string[]): Figure[] {
  const told: unknown[] = Array.isArray(figures) ? figures : [];
  return told
    .flatMap((n, seat) => (typeof n === "number" ? [{ seat, name: names[seat] ?? "", n }] : []))
    .sort((one, other) => other.n - one.n);
}

const listed = (figures: Figure[]) =>
  words.list(figures.map(({ name, n }) => t("reason.figure", { name, n })));

/** By which rule it ended. The words may name `winners`, a `loser`, the best `n`, the `others`’ and `all` figures. */
export function reasonWords(
  game: string,
  { shares, reason }: ResultView,
  facts: Facts,
  names: readonly string[],
): string {
  const best = Math.max(...shares);
  const won = (seat: number) => shares[seat] === best;
  const loser = names[shares.indexOf(0)] ?? "";
  if (isGeneral(reason)) return t(`reason.${reason}`, { name: loser });
  const figures = figuresOf(facts, names);
  const values = {
    winners: words.list(names.filter((_, seat) => won(seat))),
    loser,
    n: figures.find(({ seat }) => won(seat))?.n ?? 0,
    others: listed(figures.filter(({ seat }) => !won(seat))),
    all: listed(figures),
  };
  return lookUp(`${game}.reason.${reason}`, values) ?? reason;
}
