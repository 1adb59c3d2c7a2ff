// What has happened at a table, put into what is known of it: the same as asking for it again.

import { fits, follow } from "./drawing.ts";
import type { Drawing, Effect, Now, Table, Told } from "./types.ts";

/** What was told does not follow what is known: the whole table has to be asked for. */
export class Missed extends Error {}

/** The table after an event. One that is neither talk nor has `now` is followed by more at once. */
export function after(table: Table, told: Told): Table {
  if (told.number !== table.number + 1) throw new Missed(`event ${told.number} after ${table.number}`);
  const played = told.event.move ?? told.event.throw;
  let next: Table = { ...table, number: told.number };
  if (played !== undefined) {
    next.moves = [...(table.moves ?? []), played];
    next.drawing = told.effects && table.drawing && followed(table.drawing, told.effects);
    next.last = [{ move: played, effects: told.effects ?? [] }];
  } else if (told.event.kind === "began") {
    next.start = told.event.start;
    next.you = table.you === undefined ? undefined : told.event.order![table.you];
  } else if (told.event.kind === "undone") {
    next.moves = table.moves?.slice(0, told.event.keep);
    next.drawing = undefined; // until it is told
  }
  if (told.now) next = changed(next, told.now);
  if (told.now && next.start !== undefined && !next.drawing) throw new Missed("a drawing is missing");
  return next;
}

function changed(table: Table, now: Now): Table {
  const { seats, clocks, drawing, last, ...state } = now;
  const { to_move, view, legal, undo, result, secret, rematch } = state; // what is not there is no more
  const next: Table = { ...table, to_move, view, legal, undo, result, secret, rematch };
  if (seats) next.seats = seats;
  if (clocks) next.seats = next.seats.map((seat, number) => ({ ...seat, left: clocks[number] }));
  if (drawing) Object.assign(next, { drawing, last });
  return next;
}

/** Whether an event tells what time is left. */
export function tellsTime({ now }: Told): boolean {
  return now?.seats !== undefined || now?.clocks !== undefined;
}

function followed(drawing: Drawing, effects: Effect[]): Drawing {
  return effects.reduce((seen, effect) => {
    if (!fits(seen, effect)) throw new Missed(`${effect.join(" ")} does not fit`);
    return follow(seen, effect);
  }, drawing);
}
