// What has happened at a table, put into what is known of it: the same as asking for it again.

import { fits, follow } from "$engine/drawing.ts";
import {
  playedBy,
  type Drawing,
  type Effect,
  type NowView,
  type TableView,
  type EventMessage,
} from "$core/http/types.ts";

/** What was told does not follow what is known: the whole table has to be asked for. */
export class Missed extends Error {}

const CHANGES_POSITION: ReadonlySet<string> = new Set(["began", "moved", "threw", "undone"]);

/** The table after an event. One that is neither talk nor has `now` is followed by more at once. */
export function after(table: TableView, told: EventMessage): TableView {
  if (told.number !== table.number + 1) throw new Missed(`event ${told.number} after ${table.number}`);
  const played = playedBy(told.event);
  let next: TableView = { ...table, number: told.number };
  if (CHANGES_POSITION.has(told.event.kind)) next.position_since = told.number;
  if (played !== undefined) {
    next.moves = [...(table.moves ?? []), played];
    next.drawing = told.effects && table.drawing && followed(table.drawing, told.effects);
    next.last = [{ move: played, effects: told.effects ?? [] }];
    next.facts = told.facts ?? table.facts;
  } else if (told.event.kind === "began") {
    next.start = told.event.start;
    next.you = table.you === undefined ? undefined : told.event.order[table.you];
  } else if (told.event.kind === "undone") {
    next.moves = table.moves?.slice(0, told.event.keep);
    next.drawing = undefined; // until it is told
  }
  if (told.now) next = changed(next, told.now);
  if (told.now && next.start !== undefined && !next.drawing) throw new Missed("a drawing is missing");
  return next;
}

function changed(table: TableView, now: NowView): TableView {
  const { seats, clocks, drawing, facts, last, ...state } = now;
  // What is not there is no more.
  const { to_move, view, legal, starting, undo, result, expired, secret, rematch, rematch_by } = state;
  const told = { to_move, view, legal, starting, undo, result, expired, secret, rematch, rematch_by };
  const next: TableView = { ...table, ...told };
  if (seats) next.seats = seats;
  if (clocks) next.seats = next.seats.map((seat, number) => ({ ...seat, left: clocks[number] }));
  if (drawing) Object.assign(next, { drawing, facts, last });
  return next;
}

/** Whether an event tells what time is left. */
export function tellsTime({ now }: EventMessage): boolean {
  return now?.seats !== undefined || now?.clocks !== undefined;
}

function followed(drawing: Drawing, effects: Effect[]): Drawing {
  return effects.reduce((seen, effect) => {
    if (!fits(seen, effect)) throw new Missed(`${effect.join(" ")} does not fit`);
    return follow(seen, effect);
  }, drawing);
}
