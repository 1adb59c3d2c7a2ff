// What was said at a table, and how much of it nobody here has seen yet.

import { device } from "$core/device/device.svelte.ts";
import type { Line, TableView } from "$core/http/types.ts";
import type { Session } from "./session.svelte.ts";

type ChatSession = Pick<Session, "id"> & {
  feed: Pick<Session["feed"], "chat">;
  seats: Pick<Session["seats"], "local">;
};

const KEY = "benben.read";
const MOST = 200; // tables that are remembered

/** By table, the number of the last line that was seen: the last read last. */
function readUpTo(): Map<string, number> {
  try {
    return new Map(JSON.parse(localStorage.getItem(KEY) ?? "[]") as [string, number][]);
  } catch {
    return new Map();
  }
}

function remember(table: string, number: number): void {
  const read = readUpTo();
  read.delete(table);
  read.set(table, number);
  try {
    localStorage.setItem(KEY, JSON.stringify([...read].slice(-MOST)));
  } catch {
    // it is only shown as unread again
  }
}

export const isMuted = (table: string, seat: number) => device.muted.includes(`${table}:${seat}`);

/** The lines of everybody who is not muted. */
export function unmutedLines({ id, feed }: ChatSession): Line[] {
  return feed.chat.filter((line) => !isMuted(id, line.seat));
}

/** Whether there is anybody to talk to, or anything to read: not among bots, nor on one device. */
export function hasChat({ feed, seats: { local } }: ChatSession, table: TableView): boolean {
  if (feed.chat.length > 0) return true;
  const others = table.seats.some((seat, number) => seat.taken && !seat.program && !local.includes(number));
  return others && local.length > 0;
}

/** The lines of others that nobody on this device has seen: those since the chat was last visible. */
export class Unread {
  private seen = $state(0); // the number of the last line that was
  /** How many. */
  readonly count: number = $derived.by(() => {
    const { local } = this.session.seats;
    return unmutedLines(this.session).filter(
      ({ number, seat }) => number > this.seen && !local.includes(seat),
    ).length;
  });

  constructor(private readonly session: ChatSession) {
    this.seen = readUpTo().get(session.id) ?? 0;
  }

  /** Everything that has been said is visible now. */
  see(): void {
    const last = this.session.feed.chat.at(-1)?.number ?? 0;
    if (last <= this.seen) return;
    this.seen = last;
    remember(this.session.id, last);
  }
}
