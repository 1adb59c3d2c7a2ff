// A review in words: sentences, grades, chances.

import { describeMove } from "$core/describe/moves.ts";
import type { StepView } from "$core/http/types.ts";
import { t, words } from "$core/i18n/words.svelte.ts";
import { seatName } from "$core/describe/table.ts";
import type { Grade, Review, ReviewStep } from "$core/http/types.ts";

/** A sign for each grade, as people write them beside moves. */
export const SIGNS: Record<Grade, string> = {
  best: "★",
  good: "✓",
  inaccuracy: "?!",
  mistake: "?",
  blunder: "??",
};

export function namesOf({ names, levels }: Pick<Review, "names" | "levels">): string[] {
  return names.map((name, seat) => seatName({ name, level: levels[seat] || undefined, taken: true }, seat));
}

/** Who made a step, and what it did. */
export function tellPlayed(game: string, names: readonly string[], step: StepView): string {
  const seat = step.seat ?? step.thrower;
  const who = seat === undefined ? t("log.dice") : (names[seat] ?? "");
  return t("log.line", { who, did: describeMove(game, step) });
}

/** A share as people say it: a whole per cent; what is not quite nothing, or not quite all, is not said to be. */
export function percent(share: number): string {
  const whole = Math.round(share * 100);
  if (whole === 0 && share > 0.0005) return t("review.below", { percent: words.percent(0.01) });
  if (whole === 100 && share < 0.9995) return t("review.above", { percent: words.percent(0.99) });
  return words.percent(whole / 100);
}

/** A mean, to tenths. */
export function tenths(share: number): string {
  return new Intl.NumberFormat(words.language, { style: "percent", maximumFractionDigits: 1 }).format(share);
}

/** What has changed: with its sign, and tenths where a whole would say little. */
export function signed(change: number): string {
  return new Intl.NumberFormat(words.language, {
    style: "percent",
    signDisplay: "exceptZero",
    maximumFractionDigits: Math.abs(change) < 0.0995 ? 1 : 0,
  })
    .format(change)
    .replace("-", "−");
}

/** Each seat's chance: `Ann 62%, Bob 38%`. */
export function tellChances(names: readonly string[], chances: readonly number[]): string {
  return chances
    .map((chance, seat) => t("review.chance", { name: names[seat] ?? "", percent: percent(chance) }))
    .join(", ");
}

/** What a move is graded, and what it gave away: `Mistake: 12% given away`. */
export function tellGrade({ grade, lost }: Pick<ReviewStep, "grade" | "lost">): string {
  if (!grade) return "";
  const word = t(`review.grade.${grade}`);
  return lost >= 0.005 ? t("review.graded", { grade: word, percent: percent(lost) }) : word;
}
