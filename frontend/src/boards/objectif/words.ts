// Objectif in words: what lies on a place, and what a move would do there.

import { followAll } from "../../lib/drawing.ts";
import type { Drawing, Effect } from "../../lib/types.ts";
import { t } from "../../lib/words.svelte.ts";
import { colourName, tell } from "../../table/words.ts";
import { shown } from "./reading.ts";

const named = (piece: string) => colourName("objectif", piece);

/** A place and its pile, from what it shows downwards. */
export function placeWords(drawing: Drawing, place: string): string {
  return t("objectif.board.place", { place, pile: pileWords(drawing[place] ?? "") });
}

function pileWords(pieces: string): string {
  const [base = "", ...above] = pieces;
  const tile = t("objectif.board.case", { colour: named(base) });
  if (above.length === 0) return tile;
  return t("objectif.board.pile", { pile: above.reverse().map(named).join(", "), case: tile });
}

export function moveWords(drawing: Drawing, place: string, effects: Effect[] | undefined): string {
  if (!effects) return t("objectif.board.not-here");
  const colour = named(shown(followAll(drawing, effects)[place]));
  return t("objectif.board.preview", { did: tell("objectif", effects), colour });
}
