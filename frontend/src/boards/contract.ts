// What every board is given. A board knows where places lie and what pieces look like, and no rule:
// what may be played, and what it does, is in `legal`.

import type { Drawing, Effect, MoveView, Table } from "../lib/types.ts";

export interface BoardProps {
  table: Table; // options, seats, whose turn it is, the view in text
  drawing: Drawing; // what to show: now, at an earlier moment, or in the middle of a move
  legal: MoveView[]; // none unless it is our turn and we look at the present
  bottom: number; // the seat at the bottom of the picture
  marks: ReadonlySet<string>; // the places the last move touched
  effect: Effect | null; // the step that is being shown
  live: boolean; // whether this is the present, not a look back
  odds: (move: string) => Promise<number | null>; // how likely the throw after a move is a bust
  play: (move: string) => void;
  why: (move: string) => void; // have the house say why this may not be played
}
