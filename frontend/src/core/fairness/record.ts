// The record of a table, as far as luck goes: read strictly, and its draws made again.

import type { AnyEvent } from "$core/http/types.ts";
import type { Body } from "$core/http/routes.ts";
import { fingerprint } from "$core/crypto/sha256.ts";
import { bytesOf, commitmentOf, Draws, MOST_DICE } from "./draws.ts";

export interface TableRecord {
  "benben-table": number;
  id: string;
  terms: {
    game: string;
    options: { players: number };
    bots?: number[]; // the levels of those that sat there from the beginning, by seat
    drawn: boolean;
    commitment: string;
    position?: string; // where the game began, if it was not dealt
  };
  entries: { number: number; at: number; event: AnyEvent }[];
}

/** The same for the server, which reads the rest of it too. */
export const uploadOf = (record: TableRecord) => record as unknown as Body<"POST /records">;

const FORMAT = 1;
const MOST_PLAYERS = 8;
export const LARGEST = 1_500_000; // bytes that the server takes

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

/** A nonce that counts, by the seat that was chosen, and who revealed it. */
export interface CountedNonce {
  seat: number;
  name: string;
  nonce: string;
  committed: boolean; // before it was revealed; if not, it was sent in clear
}

/** A commitment that became void. */
export interface VoidCommitment {
  seat: number;
  commitment: string;
  freed: boolean; // its own seat was freed, then or later; else somebody else's was
}

/** How a game came to begin: the nonces that count, and the first event by which somebody could have chosen one. */
export interface Beginning {
  added: CountedNonce[];
  voided: VoidCommitment[];
  restarts: number; // how often a full table in which all had committed lost a player
  wrong: number | null;
}

/**
 * In a full table where all have committed, nonces are revealed. Nobody can change anything then but by freeing a seat:
 * that makes all commitments void.
 */
export function beginningOf({ terms, entries }: TableRecord): Beginning {
  const seats = [...Array(terms.options.players).keys()];
  const bots = new Set(seats.filter((seat) => terms.bots?.[seat]));
  const names = new Map<number, string>(); // of those who sit there
  const nonces = new Map<number, string>();
  const commitments = new Map<number, string>();
  const voided: VoidCommitment[] = [];
  let restarts = 0;
  const isFree = (seat: number) => seats.includes(seat) && !bots.has(seat) && !names.has(seat);
  const hasCommitted = (seat: number) => bots.has(seat) || nonces.has(seat) || commitments.has(seat);
  const isFull = () => !seats.some(isFree);
  const revealing = () => isFull() && seats.every(hasCommitted);

  /** Apply an event; false if it is impossible. */
  function apply(event: AnyEvent): boolean {
    switch (event.kind) {
      case "sat":
        if (!isFree(event.seat) || !event.nonce === !event.commitment) return false;
        names.set(event.seat, event.name);
        if (event.commitment) commitments.set(event.seat, event.commitment);
        else nonces.set(event.seat, event.nonce);
        return true;
      case "bot-seated":
        if (!isFree(event.seat)) return false;
        bots.add(event.seat);
        return true;
      case "committed":
        if (!isFull() || hasCommitted(event.seat)) return false;
        commitments.set(event.seat, event.commitment);
        return true;
      case "revealed":
        if (!revealing() || commitments.get(event.seat) !== fingerprint(event.nonce)) return false;
        nonces.set(event.seat, event.nonce);
        return true;
      case "stood":
      case "unrevealed":
        return free(event.seat);
    }
    return true;
  }

  function free(seat: number): boolean {
    const isVoid = revealing() && commitments.size > 0;
    const own = commitments.get(seat) ?? (nonces.has(seat) && fingerprint(nonces.get(seat)!));
    if (own) voided.push({ seat, commitment: own, freed: true });
    for (const each of voided) each.freed ||= each.seat === seat;
    nonces.delete(seat);
    commitments.delete(seat);
    if (isVoid) {
      restarts++;
      for (const [each, commitment] of commitments) {
        nonces.delete(each);
        voided.push({ seat: each, commitment, freed: false });
      }
      commitments.clear();
    }
    return names.delete(seat);
  }

  for (const { number, event } of entries) {
    const began = event.kind === "began";
    if (!(began ? revealing() && [...commitments.keys()].every((seat) => nonces.has(seat)) : apply(event)))
      return { added: [], voided: [], restarts: 0, wrong: number };
    if (began) break;
  }
  const added = [...names.entries()]
    .sort(([one], [other]) => one - other)
    .map(([seat, name]) => ({ seat, name, nonce: nonces.get(seat)!, committed: commitments.has(seat) }));
  return { added, voided, restarts, wrong: null };
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
  different: { number: number; what: Different } | null;
}

type Different = "promise" | "nonce" | "seats" | "throw";

/** Whose throws are a draw among the falls of dice; of others only their rules know. */
const DICE = new Set(["batisseurs"]);

export function drawAgain(record: TableRecord): Drawn {
  const { terms, entries } = record;
  const drawn: Drawn = { seats: terms.drawn, dealt: 0, throws: 0, different: null };
  const differs = (number: number, what: Different): Drawn => ({
    ...drawn,
    different: { number, what },
  });
  const secret = bytesOf(secretOf(record));
  if (!secret || commitmentOf(secret) !== terms.commitment)
    return differs(entries.find(({ event }) => event.kind === "ended")!.number, "promise");
  const { added, wrong } = beginningOf(record);
  if (wrong !== null) return differs(wrong, "nonce");
  const draws = new Draws(
    secret,
    added.map(({ nonce }) => nonce),
  );
  for (const { number, event } of entries) {
    if (event.kind === "began") {
      const seats = [...Array(terms.options.players).keys()];
      const order = terms.drawn ? draws.shuffled(seats) : seats;
      if (String(order) !== String(event.order)) return differs(number, "seats");
      drawn.dealt = event.draws - draws.number;
      draws.number = event.draws;
    } else if (event.kind === "threw" && DICE.has(terms.game)) {
      const [at, dice] = [draws.number, event.throw.length - 1];
      const fell = dice > 0 && dice <= MOST_DICE ? `=${draws.throw(dice)}` : "";
      if (event.draw !== at || event.throw !== fell) return differs(number, "throw");
      drawn.throws++;
    }
  }
  return drawn;
}
