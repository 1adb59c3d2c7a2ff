// Objectif in words: what lies on a place, and what a move would do there.

import { applyAll } from "$engine/drawing.ts";
import { colourName } from "$core/describe/moves.ts";
import type { Drawing, Effect } from "$core/http/types.ts";
import { t } from "$core/i18n/words.svelte.ts";
import { changeAt, isBase, shown } from "./reading.ts";

type Base = "b" | "g" | "o" | "p" | "v" | "y";

/** A piece or a base, as `blue` and `blue base`. */
function named(piece: string): string {
  if (isBase(piece)) return t(`objectif.piece.${piece as Base}`, { n: 1 });
  return t("objectif.board.piece", { colour: colourName("objectif", piece) });
}

/** A place and its pile, from what it shows downwards. */
export function placeWords(drawing: Drawing, place: string): string {
  const pile = [...(drawing[place] ?? "")].reverse().map(named).join(", ");
  return t("objectif.board.place", { place, pile });
}

/** What a move does on its place: covers what it shows, or goes together with it. */
export function moveWords(drawing: Drawing, place: string, effects: Effect[]): string {
  const top = (drawing[place] ?? "").slice(-1);
  if (changeAt(drawing, effects, place) === "less")
    return t("objectif.board.cancels", { colour: colourName("objectif", top) });
  const colour = colourName("objectif", shown(applyAll(drawing, effects)[place]));
  return t("objectif.board.covers", { colour, under: named(top) });
}
