// Checking a record: what this browser can find out by itself, what the server replays, what this device noted.

import { request, ApiError } from "$core/http/api.ts";
import { device, noncesOf, type HeldNonce } from "$core/device/device.svelte.ts";
import { fingerprint } from "$core/crypto/sha256.ts";
import { beginningOf, drawAgain, uploadOf, type Drawn, type TableRecord } from "./record.ts";
import { wrongAt, type Wrong } from "./refusals.ts";

/** What the server finds. */
export type Replayed =
  | { found: "right" }
  | { found: "wrong"; number: number | null } // null: it cannot be replayed at all
  | { found: "nothing"; trouble: ApiError }; // it could not be asked

export interface Verdict {
  record: TableRecord;
  drawn: Drawn; // by this browser
  replayed: Replayed;
  noted: Noted;
  wrong: Wrong | null; // the first thing that differs
}

/** Whether the record agrees with what this device has noted; null: it has noted nothing. */
export interface Noted {
  promise: boolean | null; // the server's, when we sat down
  nonce: boolean | null; // ours
  elsewhere: boolean; // another device has added something for our seat, after our own became void
  commitments: boolean | null; // of all seats, before ours was revealed
}

const PATIENCE = 30_000; // ms

export async function check(record: TableRecord): Promise<Verdict> {
  const [drawn, noted] = [drawAgain(record), compare(record)];
  const replayed = await replay(record);
  return { record, drawn, replayed, noted, wrong: firstWrong(record, drawn, replayed, noted) };
}

async function replay(record: TableRecord): Promise<Replayed> {
  try {
    await request("POST /records", { body: uploadOf(record), timeout: PATIENCE });
    return { found: "right" };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code !== "bad-record") return { found: "nothing", trouble: error };
    return { found: "wrong", number: error.detail.number ?? null };
  }
}

export function compare(record: TableRecord): Noted {
  const { added, voided } = beginningOf(record);
  const ours = device.seats.filter(({ table, gone }) => table === record.id && !gone);
  const promises = ours.flatMap(({ promise }) => promise ?? []);
  const accepted = ours.map((seat) => noncesOf(seat).filter(({ unanswered }) => !unanswered));
  const last = accepted.filter((each) => each.length > 0).map((each) => fateOf(each));
  const against = accepted
    .flat()
    .flatMap(({ nonce, against }) => (against && counts(nonce) ? [against] : []));
  return {
    promise: everyOrNull(promises, (promise) => promise === record.terms.commitment),
    nonce: everyOrNull(
      last.filter((fate) => fate === "counts" || fate === "missing"),
      (fate) => fate === "counts",
    ),
    elsewhere: last.includes("replaced"),
    commitments: everyOrNull(against, (each) => each.every((told, seat) => told === madeBy(seat))),
  };

  function counts(nonce: string): boolean {
    return added.some((each) => each.nonce === nonce);
  }

  /** What became of a seat's nonces: one counts, or the last one is void by the record, or not in it. */
  function fateOf(nonces: HeldNonce[]): "counts" | "freed" | "replaced" | "missing" {
    if (nonces.some(({ nonce }) => counts(nonce))) return "counts";
    const commitment = fingerprint(nonces.at(-1)!.nonce);
    const found = voided.filter((each) => each.commitment === commitment);
    if (found.length === 0) return "missing";
    return found.some(({ freed }) => freed) ? "freed" : "replaced";
  }

  /** What a seat had committed to, as far as the record says. */
  function madeBy(seat: number): string {
    const found = added.find((each) => each.seat === seat);
    return found ? fingerprint(found.nonce) : "";
  }
}

const everyOrNull = <T>(things: T[], good: (thing: T) => boolean) =>
  things.length ? things.every(good) : null;

function firstWrong(record: TableRecord, drawn: Drawn, replayed: Replayed, noted: Noted): Verdict["wrong"] {
  if (noted.promise === false) return { number: null, what: "other-promise" };
  if (noted.nonce === false) return { number: null, what: "other-nonce" };
  if (noted.commitments === false) return { number: null, what: "other-commitments" };
  const ours = drawn.different;
  if (replayed.found !== "wrong") return ours;
  const { number } = replayed;
  if (ours && (number === null || ours.number <= number)) return ours;
  return wrongAt(record, number);
}
