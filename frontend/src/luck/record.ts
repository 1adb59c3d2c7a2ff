// The record of a table, as far as luck goes: read strictly, and its draws made again.

import type { AnyEvent } from "../lib/types.ts";
import { bytesOf, commitmentOf, Draws, MOST_DICE } from "./draws.ts";

export interface TableRecord {
  "benben-table": number;
  id: string;
  terms: { game: string; options: { players: number }; drawn: boolean; commitment: string };
  entries: { number: number; at: number; event: AnyEvent }[];
}

const FORMAT = 1;
const MOST_PLAYERS = 8;
export const LARGEST = 2_000_000; // bytes that the server takes

/** Why something cannot be checked; the words are in the catalogue. */
export type Obstacle = "no-record" | "other-format" | "too-large" | "still-on" | "never-began";

export class Unreadable extends Error {
  constructor(readonly why: Obstacle) {
    super(why);
  }
}

/** The record that a text is; Unreadable if it is none, or of a game that is not over. */
export function readRecord(text: string): TableRecord {
  if (text.length > LARGEST) throw new Unreadable("too-large");
  const found = parsed(text);
  if (typeof found?.["benben-table"] !== "number") throw new Unreadable("no-record");
  if (found["benben-table"] !== FORMAT) throw new Unreadable("other-format");
  if (!isWhole(found)) throw new Unreadable("no-record");
  const kinds = new Set(found.entries.map(({ event }) => event.kind));
  if (kinds.has("expired")) throw new Unreadable("never-began");
  if (!kinds.has("ended")) throw new Unreadable("still-on");
  return found;
}

function parsed(text: string): Partial<TableRecord> | null {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" ? found : null;
  } catch {
    return null;
  }
}

function isWhole(found: Partial<TableRecord>): found is TableRecord {
  const { id, terms, entries } = found;
  return (
    typeof id === "string" &&
    typeof terms?.game === "string" &&
    typeof terms.commitment === "string" &&
    typeof terms.drawn === "boolean" &&
    [...Array(MOST_PLAYERS).keys()].includes(terms.options?.players - 1) &&
    Array.isArray(entries) &&
    entries.every((entry, at) => entry?.number === at + 1 && typeof entry.event?.kind === "string")
  );
}

/** Who added what: nonces by the seat that was chosen, of those who sat there when the game began. */
export function addedTo({ entries }: TableRecord): { seat: number; name: string; nonce: string }[] {
  const added = new Map<number, { seat: number; name: string; nonce: string }>();
  for (const { event } of entries) {
    if (event.kind === "began") break;
    if (event.kind === "sat") added.set(event.seat, event);
    else if (event.kind === "stood") added.delete(event.seat);
  }
  return [...added.values()].sort((one, other) => one.seat - other.seat);
}

export function secretOf({ entries }: TableRecord): string {
  for (const { event } of entries) if (event.kind === "ended") return event.secret;
  return "";
}

/** What was drawn again: how much, and the first event that is not as it should be. */
export interface Drawn {
  seats: boolean; // whether seats were drawn
  dealt: number; // numbers drawn for the deal: what they deal is a matter of rules
  throws: number;
  different: { number: number; what: "promise" | "seats" | "throw" } | null;
}

/** Whose throws are a draw among the falls of dice; of others only their rules know. */
const DICE = new Set(["batisseurs"]);

export async function drawAgain(record: TableRecord): Promise<Drawn> {
  const { terms, entries } = record;
  const drawn: Drawn = { seats: terms.drawn, dealt: 0, throws: 0, different: null };
  const differs = (number: number, what: "promise" | "seats" | "throw"): Drawn => ({
    ...drawn,
    different: { number, what },
  });
  const secret = bytesOf(secretOf(record));
  if (!secret || (await commitmentOf(secret)) !== terms.commitment)
    return differs(entries.find(({ event }) => event.kind === "ended")!.number, "promise");
  const draws = await Draws.of(
    secret,
    addedTo(record).map(({ nonce }) => nonce),
  );
  for (const { number, event } of entries) {
    if (event.kind === "began") {
      const seats = [...Array(terms.options.players).keys()];
      const order = terms.drawn ? await draws.shuffled(seats) : seats;
      if (String(order) !== String(event.order)) return differs(number, "seats");
      drawn.dealt = event.draws - draws.number;
      draws.number = event.draws;
    } else if (event.kind === "threw" && DICE.has(terms.game)) {
      const [at, dice] = [draws.number, event.throw.length - 1];
      const fell = dice > 0 && dice <= MOST_DICE ? `=${await draws.throw(dice)}` : "";
      if (event.draw !== at || event.throw !== fell) return differs(number, "throw");
      drawn.throws++;
    }
  }
  return drawn;
}
