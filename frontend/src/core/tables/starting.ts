// Before a game every seat commits to a nonce and then reveals it; this device does so by itself for its seats.
//
// A nonce is revealed once, for one set of commitments. That set is noted first, so that the luck of the game can be
// checked against it: what the others had committed to was fixed before our nonce was known. docs/fairness.md says more.

import { postAction, randomHex, sleep, ApiError } from "$core/http/api.ts";
import { device, noncesOf, type SeatHeld } from "$core/device/device.svelte.ts";
import { fingerprint } from "$core/crypto/sha256.ts";
import type { TableView } from "$core/http/types.ts";

const NONCE = 16; // bytes: too many to try them all
const PATIENCE = 120_000; // ms
const SOON = 1_000; // ms

export const newNonce = () => randomHex(NONCE);

/** Why this device does not reveal a nonce. */
export type Refusal =
  | "other-promise" // the server has published another fingerprint than when we sat down
  | "no-commitment" // a player has not committed to anything
  | "asked-twice"; // it was revealed already, when others had committed to something else

type Step =
  | { act: "commit"; nonce: string }
  | { act: "reveal"; nonce: string; against: string[] }
  | { act: "refuse"; why: Refusal }
  | null; // nothing is to be done, or another device has to do it

/** What a seat of this device has to do. */
export function nextStep(held: SeatHeld, table: TableView): Step {
  const { starting, seats } = table;
  if (!starting || held.gone) return null;
  if (starting.phase === "commit") {
    if (held.seat === undefined || !starting.seats.includes(held.seat)) return null;
    const unanswered = noncesOf(held).find((each) => each.unanswered);
    return { act: "commit", nonce: unanswered?.nonce ?? newNonce() };
  }
  const committed = starting.seats.map((seat) => seats[seat]?.commitment);
  const ours = noncesOf(held).find(({ nonce }) => committed.includes(fingerprint(nonce)));
  if (ours === undefined) return null;
  const against = seats.map(({ commitment }) => commitment ?? "");
  if (held.promise && held.promise !== table.commitment) return { act: "refuse", why: "other-promise" };
  if (seats.some((seat) => !seat.level && !seat.commitment)) return { act: "refuse", why: "no-commitment" };
  if (ours.against && String(ours.against) !== String(against)) return { act: "refuse", why: "asked-twice" };
  return { act: "reveal", nonce: ours.nonce, against };
}

/** Whether this device has the nonce that a seat has committed to. Without a commitment, any device can make one. */
export function canConfirm(token: string, commitment = ""): boolean {
  if (!commitment) return true;
  const held = device.seats.find((seat) => seat.token === token);
  return held !== undefined && noncesOf(held).some(({ nonce }) => fingerprint(nonce) === commitment);
}

const inFlight = new Map<string, Promise<Refusal | null>>(); // by what is sent

/**
 * Commit and reveal for all seats of this device at a table. Idempotent, also across tabs.
 * The answer says why something was not revealed, or is null.
 */
export async function advanceStart(id: string, table: TableView): Promise<Refusal | null> {
  const seats = table.starting ? device.seats.filter((seat) => seat.table === id) : [];
  const refused = await Promise.all(seats.map((held) => advanceSeat(held, table)));
  return refused.find((why) => why !== null) ?? null;
}

/** The same, but wait for a moment only: it usually takes no longer, and goes on by itself if it does. */
export async function advanceStartBriefly(id: string, table: TableView): Promise<void> {
  if (table.starting) await Promise.race([advanceStart(id, table), sleep(SOON)]);
}

async function advanceSeat(held: SeatHeld, table: TableView): Promise<Refusal | null> {
  const step = nextStep(held, table);
  if (step === null) return null;
  if (step.act === "refuse") return step.why;
  const what = `${held.token} ${step.act} ${step.act === "reveal" ? step.nonce : table.starting!.deadline}`;
  const sent = inFlight.get(what) ?? (step.act === "commit" ? commit(held, step.nonce) : reveal(held, step));
  inFlight.set(what, sent);
  try {
    return await sent;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return null; // the table has changed, and says what to do; or the server is tried again when it answers
  } finally {
    inFlight.delete(what);
  }
}

async function commit({ table, token }: SeatHeld, nonce: string): Promise<null> {
  device.noteNonce(token, { nonce, unanswered: true }); // first: a nonce that is lost cannot be revealed
  try {
    await postAction(table, "commit", token, { commitment: fingerprint(nonce) }, { patience: PATIENCE });
    device.noteNonce(token, { nonce });
  } catch (error) {
    // Another device or tab has committed for this seat.
    if (error instanceof ApiError && error.code === "committed") device.dropNonce(token, nonce);
    throw error;
  }
  return null;
}

async function reveal(
  { table, token }: SeatHeld,
  { nonce, against }: { nonce: string; against: string[] },
): Promise<Refusal | null> {
  const first = device.noteNonce(token, { nonce, against }).against;
  if (String(first) !== String(against)) return "asked-twice"; // another tab has revealed it
  await postAction(table, "reveal", token, { nonce }, { patience: PATIENCE });
  return null;
}
