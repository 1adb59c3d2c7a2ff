// An opinion as it is shown: in figures, in words and on the board.

import type { Overlay } from "$engine/contract.ts";
import { NO_OVERLAY } from "$engine/contract.ts";
import type { Choice, MoveOpinion, Opinion, ThrowOpinion } from "$core/http/types.ts";
import { t, words } from "$core/i18n/words.svelte.ts";

const AS_GOOD = 0.01; // of a share: a move that is worth so little less is drawn too
const MOST_DRAWN = 3;

/** The best first; of equals the one that the bot would play. */
export function ranked({ moves = [], line = [] }: Opinion): MoveOpinion[] {
  const wins = ({ share, certainty }: MoveOpinion) =>
    share + (certainty === "estimated" ? 0 : share > 0.5 ? 1e-6 : 0);
  return [...moves].sort(
    (one, other) => wins(other) - wins(one) || Number(other.move === line[0]) - Number(one.move === line[0]),
  );
}

/** Moves in the order of others; those that are not among them follow. */
export function ordered(moves: readonly MoveOpinion[], like: readonly MoveOpinion[]): MoveOpinion[] {
  const places = new Map(like.map(({ move }, place) => [move, place]));
  const placeOf = ({ move }: MoveOpinion) => places.get(move) ?? like.length;
  return [...moves].sort((one, other) => placeOf(one) - placeOf(other));
}

/** `55.3 %`, as exactly as it is known. */
export function percent(share: number, error = 0): string {
  const digits = error > 0.005 ? 0 : 1;
  return new Intl.NumberFormat(words.language, {
    style: "percent",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(share);
}

/** How sure it is: `exact`, `proven`, or by how much it may be off. */
export function surety({ error, certainty }: Pick<MoveOpinion, "error" | "certainty">): string {
  if (certainty !== "estimated") return t(`analysis.certainty.${certainty}`);
  return t("analysis.plus-minus", { n: Math.max(1, Math.round(100 * error)) });
}

const isOnBoard = (place: string | null) =>
  place !== null && !/^(hand|gift|dice)$|:[a-z]$|^(stock|pawns)/.test(place);

/** Where a move goes from and to, as far as it goes anywhere. */
export function arrowOf({ effects }: Choice): { from: string; to: string } | null {
  const from = effects.map(([, source]) => source).find((place) => place !== null);
  const to =
    effects.map(([, , target]) => target).findLast(isOnBoard) ??
    effects.map(([, , target]) => target).findLast((place) => place?.startsWith("home:"));
  return from && to && from !== to ? { from, to } : null;
}

/** The best moves, drawn on the board; one that is pointed at is shown as if it were chosen. */
export function overlayOf(
  opinion: Opinion | null,
  legal: readonly Choice[],
  pointed: string | null,
): Overlay {
  if (!opinion?.moves?.length) return NO_OVERLAY;
  if (pointed !== null) return { ...NO_OVERLAY, hint: pointed };
  const [best, ...others] = ranked(opinion);
  const near = others.filter(({ share }) => best!.share - share <= AS_GOOD);
  const choice = legal.find(({ move }) => move === best!.move);
  // What comes from a stock has no way to be drawn: it is shown where it would lie.
  if (choice && arrowOf(choice)?.from.startsWith("stock:")) return { ...NO_OVERLAY, hint: best!.move };
  const drawn = near.length < MOST_DRAWN ? [best!, ...near] : [best!]; // of many that are alike only one
  const arrows = drawn.flatMap(({ move }) => {
    const drawable = legal.find((each) => each.move === move);
    return (drawable && arrowOf(drawable)) ?? [];
  });
  const keys = new Set<string>();
  return {
    ...NO_OVERLAY,
    arrows: arrows.filter(({ from, to }) => !keys.has(`${from} ${to}`) && keys.add(`${from} ${to}`)),
  };
}

export interface Thrown {
  vain: number; // how likely it is
  lost: number; // what is left then
  rest: number; // what it is worth on average otherwise
  best: ThrowOpinion;
}

/** What may come of a throw. */
export function thrown(throws: readonly ThrowOpinion[]): Thrown | null {
  if (throws.length === 0) return null;
  const vain = throws.filter((each) => each.vain);
  const good = throws.filter((each) => !each.vain);
  const odds = (all: readonly ThrowOpinion[]) => all.reduce((sum, each) => sum + each.odds, 0);
  const sum = good.reduce((all, each) => all + each.odds * each.share, 0);
  return {
    vain: odds(vain),
    lost: vain[0]?.share ?? 0,
    rest: good.length ? sum / odds(good) : 0,
    best: throws.reduce((one, other) => (other.share > one.share ? other : one)),
  };
}
