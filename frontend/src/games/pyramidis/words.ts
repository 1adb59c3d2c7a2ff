// The board in words, for people who do not see it.

import { colourName } from "$core/describe/moves.ts";
import { t } from "$core/i18n/words.svelte.ts";
import { runsOf } from "./columns.ts";

/** As `d3, from the bottom: 2 brown, 1 mustard`. */
export function tellColumn(square: string, pyramids: string): string {
  if (pyramids === "") return t("pyramidis.board.empty", { square });
  const runs = runsOf(pyramids).map(({ letter, n }) =>
    t("pyramidis.board.run", { n, colour: colourName("pyramidis", letter) }),
  );
  const [first, ...more] = runs;
  if (more.length === 0) return t("pyramidis.board.plain", { square, run: first! });
  return t("pyramidis.board.mixed", { square, all: runs.join(", ") });
}
