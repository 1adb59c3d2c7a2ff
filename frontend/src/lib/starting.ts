// Before a game every seat commits to a nonce and then reveals it; this device does so by itself for its seats.
//
// A nonce is revealed once, for one set of commitments. That set is noted first, so that the luck of the game can be
// checked against it: what the others had committed to was fixed before our nonce was known. docs/fairness.md says more.

import { act, draw, sleep, Trouble } from "./api.ts";
import { device, noncesOf, type SeatHeld } from "./device.svelte.ts";
import { fingerprint } from "./sha256.ts";
import type { TableView } from "./types.ts";

const NONCE = 16; // bytes: too many to try them all
const PATIENCE = 120_000; // ms
const SOON = 1_000; // ms
const MOST_NONCES = 20; // of one seat: each new start takes one

export const newNonce = () => draw(NONCE);

/** Why this device does not reveal a nonce, or cannot. */
export type Refusal =
  | "other-promise" // the server has published another fingerprint than when we sat down
  | "no-commitment" // a player has not committed to anything
  | "asked-twice" // it was revealed already, when others had committed to something else
  | "too-often"; // it had to begin anew again and again

type Step =
  | { act: "commit" }
  | { act: "reveal"; nonce: string; against: string[] }
  | { act: "refuse"; why: Refusal }
  | null; // nothing is to be done, or another device has to do it

/** What a seat of this device has to do. */
export function nextStep(held: SeatHeld, table: TableView): Step {
  const { starting, seats } = table;
  if (!starting || held.gone) return null;
  const known = noncesOf(held).map((each) => ({ ...each, commitment: fingerprint(each.nonce) }));
  const isOurs = (seat: number) => known.some(({ commitment }) => commitment === seats[seat]?.commitment);
  if (starting.phase === "commit") {
    if (seats.some((_, seat) => isOurs(seat))) return null;
    return known.length < MOST_NONCES ? { act: "commit" } : { act: "refuse", why: "too-often" };
  }
  const pending = starting.seats.find(isOurs);
  if (pending === undefined) return null;
  const ours = known.find(({ commitment }) => commitment === seats[pending]!.commitment)!;
  const against = seats.map(({ commitment }) => commitment ?? "");
  if (held.promise && held.promise !== table.commitment) return { act: "refuse", why: "other-promise" };
  if (seats.some((seat) => !seat.level && !seat.commitment)) return { act: "refuse", why: "no-commitment" };
  if (ours.against && String(ours.against) !== String(against)) return { act: "refuse", why: "asked-twice" };
  return { act: "reveal", nonce: ours.nonce, against };
}

const underWay = new Set<string>();

/**
 * Commit and reveal for all seats of this device at a table. What was done already, here or in another tab, does no
 * harm. The answer says why something was not revealed, or is null.
 */
export async function helpStart(id: string, table: TableView): Promise<Refusal | null> {
  const seats = table.starting ? device.seats.filter((seat) => seat.table === id) : [];
  const refused = await Promise.all(seats.map((held) => help(held, table)));
  return refused.find((why) => why !== null) ?? null;
}

/** The same; it usually takes a moment, and goes on by itself if it takes longer. */
export async function helpStartSoon(id: string, table: TableView): Promise<void> {
  if (table.starting) await Promise.race([helpStart(id, table), sleep(SOON)]);
}

async function help(held: SeatHeld, table: TableView): Promise<Refusal | null> {
  const step = nextStep(held, table);
  if (step === null) return null;
  if (step.act === "refuse") return step.why;
  const what = `${held.token} ${step.act} ${step.act === "reveal" ? step.nonce : table.starting!.deadline}`;
  if (underWay.has(what)) return null;
  underWay.add(what);
  try {
    if (step.act === "commit") await commit(held);
    else await reveal(held, step.nonce, step.against);
  } catch (error) {
    if (!(error instanceof Trouble)) throw error; // else the table has changed, and tells what to do
  } finally {
    underWay.delete(what);
  }
  return null;
}

async function commit({ table, token }: SeatHeld): Promise<void> {
  const nonce = newNonce();
  device.noteNonce(token, { nonce }); // first: a nonce that is lost cannot be revealed
  await act(table, "commit", token, { commitment: fingerprint(nonce) }, { patience: PATIENCE });
}

async function reveal({ table, token }: SeatHeld, nonce: string, against: string[]): Promise<void> {
  device.noteNonce(token, { nonce, against });
  await act(table, "reveal", token, { nonce }, { patience: PATIENCE });
}
