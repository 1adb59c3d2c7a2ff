// The state of a table after an event: the same as asking the server for the whole table again.

import { playedBy, type EventMessage, type NowView, type TableView } from "$core/http/types.ts";

/** An event does not follow what is known: the whole table has to be asked for. */
export class OutOfSyncError extends Error {}

/** A table without its position: what lies on the board is in the timeline only. */
export type TableState = Omit<TableView, "drawing" | "view" | "last">;

const CHANGES_POSITION: ReadonlySet<string> = new Set(["began", "moved", "threw", "undone"]);

export function stateOf(table: TableView): TableState {
  const { drawing: _drawing, view: _view, last: _last, ...state } = table;
  return state;
}

/** The table after an event. One that is neither chat nor has `now` is followed by more at once. */
export function applyEvent(table: TableState, { number, event, facts, now }: EventMessage): TableState {
  if (number !== table.number + 1) throw new OutOfSyncError(`event ${number} after ${table.number}`);
  const played = playedBy(event);
  const next: TableState = { ...table, number };
  if (CHANGES_POSITION.has(event.kind)) next.position_since = number;
  if (played !== undefined) {
    next.moves = [...(table.moves ?? []), played];
    next.facts = facts ?? table.facts;
  } else if (event.kind === "began") {
    next.start = event.start;
    next.you = table.you === undefined ? undefined : event.order[table.you];
  } else if (event.kind === "undone") {
    next.moves = table.moves?.slice(0, event.keep);
  }
  return now ? applyNow(next, now) : next;
}

function applyNow(table: TableState, now: NowView): TableState {
  // Optional fields that are not sent are no longer set.
  const { to_move, legal, starting, undo, result, expired, secret, rematch, rematch_by } = now;
  const next = { ...table, to_move, legal, starting, undo, result, expired, secret, rematch, rematch_by };
  if (now.seats) next.seats = now.seats;
  const { clocks } = now;
  if (clocks) next.seats = next.seats.map((seat, number) => ({ ...seat, left: clocks[number] }));
  if (now.drawing) next.facts = now.facts;
  return next;
}

/** Whether an event says how much time is left. */
export function updatesClocks({ now }: EventMessage): boolean {
  return now?.seats !== undefined || now?.clocks !== undefined;
}
