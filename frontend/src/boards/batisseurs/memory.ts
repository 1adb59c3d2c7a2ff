// What the drawing alone no longer tells: who is at work, what has just crumbled or been won.
// It is learnt by comparing drawings, so it is there too when motion is unwelcome and steps are not shown.

import type { Drawing, Effect } from "../../lib/types.ts";
import { DICE, seatOf, settle } from "./site.ts";

export interface Memory {
  drawing: Drawing;
  moves: number;
  turn: number; // the seat at work
  slots: string[]; // the dice, each where it fell
  fallen: ReadonlySet<string>; // places whose block was lost, until somebody builds again
  gained: ReadonlySet<string>; // places whose block was turned over last
  bust: number | null; // the seat whose throw was in vain
}

export interface Seen {
  drawing: Drawing;
  effect: Effect | null;
  moves: number; // how many the table knows
  toMove: number | undefined; // known only of the present
}

export const NOTHING: Memory = {
  drawing: {},
  moves: 0,
  turn: 0,
  slots: Array<string>(DICE).fill(""),
  fallen: new Set(),
  gained: new Set(),
  bust: null,
};

export function remember(memory: Memory, seen: Seen): Memory {
  const { drawing, effect, moves } = seen;
  const come: string[] = [];
  const gone: string[] = [];
  const turned: string[] = [];
  for (const place of Object.keys(drawing)) {
    const [before = "", after = ""] = [memory.drawing[place], drawing[place]];
    if (place === "dice" || before === after) continue;
    if (!before) come.push(place);
    else if (!after) gone.push(place);
    else turned.push(place);
  }
  const now = {
    ...memory,
    drawing,
    moves,
    turn: effect?.[4] ?? seen.toMove ?? memory.turn,
    slots: settle(memory.slots, drawing.dice ?? ""),
  };
  const changed = come.length + gone.length + turned.length > 0;
  const onwards = effect !== null || moves > memory.moves;
  // A move taken back, or a look at another moment: what happened last is not what is shown.
  if (changed && !onwards) return { ...now, fallen: new Set(), gained: new Set(), bust: null };
  if (come.length > 0) {
    const builder = seatOf(come[0]!);
    now.fallen = new Set();
    now.bust = null;
    now.gained = new Set([...now.gained].filter((place) => seatOf(place) !== builder));
  }
  if (gone.length > 0) {
    now.fallen = new Set([...now.fallen, ...gone]);
    now.bust = seatOf(gone[0]!);
  }
  if (turned.length > 0) {
    const owner = seatOf(turned[0]!);
    now.gained = new Set([...[...now.gained].filter((place) => seatOf(place) === owner), ...turned]);
  }
  if (effect?.[0] === "bust") now.bust = effect[4];
  return now;
}
