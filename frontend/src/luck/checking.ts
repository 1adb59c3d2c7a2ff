// Checking a record: what this browser can find out by itself, what the server replays, what this device noted.

import { ask, Trouble } from "../lib/api.ts";
import { device } from "../lib/device.svelte.ts";
import { canDraw } from "./draws.ts";
import { drawAgain, type Drawn, type TableRecord } from "./record.ts";
import { wrongAt, type Wrong } from "./refusals.ts";

/** What the server finds. */
export type Replayed =
  | { found: "right" }
  | { found: "wrong"; number: number | null } // null: it cannot be replayed at all
  | { found: "nothing"; trouble: Trouble }; // it could not be asked

export interface Verdict {
  record: TableRecord;
  drawn: Drawn | null; // by this browser; null: it cannot draw here
  replayed: Replayed;
  noted: { promise: boolean | null; nonce: boolean | null }; // as it was when we sat down; null: not noted
  wrong: Wrong | null; // the first thing that differs
}

const PATIENCE = 30_000; // ms

export async function check(record: TableRecord): Promise<Verdict> {
  const [drawn, replayed] = await Promise.all([canDraw() ? drawAgain(record) : null, replay(record)]);
  const noted = compare(record);
  return { record, drawn, replayed, noted, wrong: firstWrong(record, drawn, replayed, noted) };
}

async function replay(record: TableRecord): Promise<Replayed> {
  try {
    await ask("/records", { method: "POST", body: record, timeout: PATIENCE });
    return { found: "right" };
  } catch (error) {
    if (!(error instanceof Trouble)) throw error;
    if (error.code !== "bad-record") return { found: "nothing", trouble: error };
    return { found: "wrong", number: error.detail.number ?? null };
  }
}

function compare({ id, terms, entries }: TableRecord): Verdict["noted"] {
  const ours = device.seats.filter(({ table }) => table === id);
  const promises = ours.flatMap(({ promise }) => promise ?? []);
  const nonces = ours.flatMap(({ nonce }) => nonce ?? []);
  const told = new Set(entries.flatMap(({ event }) => (event.kind === "sat" ? [event.nonce] : [])));
  return {
    promise: promises.length ? promises.every((each) => each === terms.commitment) : null,
    nonce: nonces.length ? nonces.every((each) => told.has(each)) : null,
  };
}

function firstWrong(
  record: TableRecord,
  drawn: Drawn | null,
  replayed: Replayed,
  noted: Verdict["noted"],
): Verdict["wrong"] {
  if (noted.promise === false) return { number: null, what: "other-promise" };
  if (noted.nonce === false) return { number: null, what: "other-nonce" };
  const ours = drawn?.different ?? null;
  if (replayed.found !== "wrong") return ours;
  const { number } = replayed;
  if (ours && (number === null || ours.number <= number)) return ours;
  return wrongAt(record, number);
}
