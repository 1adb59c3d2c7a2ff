// What the drawing alone does not tell: who is at work, what has just crumbled or been won, where each
// die fell. It is read from the moves and throws so far: a look back shows the same as the moment itself.

import type { Effect } from "$core/http/types.ts";
import type { Scene } from "$engine/contract.ts";
import { turnOf } from "./facts.ts";
import { seatOf } from "./site.ts";

export const DICE = 6;

export interface Story {
  builder: number | null; // the seat at work
  slots: string[]; // the dice, each where it fell
  fallen: ReadonlySet<string>; // places whose block was lost, until somebody builds again
  gained: ReadonlySet<string>; // places whose block was turned over last
  bust: number | null; // the seat whose throw was in vain, until somebody builds again
}

type EventMessage = Pick<Scene, "drawing" | "facts" | "toMove" | "steps" | "effect">;

export function storyOf({ drawing, facts, toMove, steps, effect }: EventMessage): Story {
  let slots = Array<string>(DICE).fill("");
  let bust: number | null = null;
  const loose = new Set<string>(); // blocks of this turn
  const fallen = new Set<string>();
  const gained = new Set<string>();

  function forget(places: Set<string>, gone: (place: string) => boolean): void {
    for (const place of places) if (gone(place)) places.delete(place);
  }

  function place(at: string): void {
    loose.add(at);
    fallen.clear();
    bust = null;
    forget(gained, (other) => seatOf(other) === seatOf(at));
  }

  function lose(at: string): void {
    loose.delete(at);
    fallen.add(at);
    bust = seatOf(at);
  }

  function win(at: string): void {
    loose.delete(at);
    forget(gained, (other) => seatOf(other) !== seatOf(at));
    gained.add(at);
  }

  function turn(slot: number, face: string): void {
    if (slot >= 0) slots[slot] = face;
  }

  function happen([kind, source, target, piece, owner]: Effect): void {
    if (kind === "die") turn(slots.indexOf(""), piece!);
    else if (kind === "use" || kind === "gather") turn(slots.lastIndexOf(piece!), "");
    else if (kind === "place") place(target!);
    else if (kind === "bust") bust = owner;
    else if (kind === "lose") lose(source!);
    else if (kind === "win") win(target!);
  }

  for (const { effects } of steps) effects.forEach(happen);
  // A step that is being shown has come as far as the drawing says.
  slots = settle(slots, drawing.dice ?? "");
  if (effect && effect[1] !== "dice" && effect[2] !== "dice") happen(effect);
  for (const at of loose) {
    if (drawing[at] === "") lose(at);
    else if (drawing[at] === "x") win(at);
  }
  return { builder: effect?.[4] ?? toMove ?? turnOf(facts), slots, fallen, gained, bust };
}

/** The dice stay where they fell: who is no longer there leaves a gap, a new one takes the first. */
export function settle(slots: readonly string[], dice: string): string[] {
  const left = [...dice];
  const settled = slots.map((face) => {
    const at = face === "" ? -1 : left.indexOf(face);
    return at < 0 ? "" : left.splice(at, 1)[0]!;
  });
  for (const face of left) settled[settled.indexOf("")] = face;
  return settled;
}
