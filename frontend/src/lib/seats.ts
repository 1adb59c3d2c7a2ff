// Seats of this device: taking one, and the tables where it has some, as the server knows them.

import { ask, draw, mine, see, Trouble } from "./api.ts";
import { device } from "./device.svelte.ts";
import { patiently } from "./patiently.ts";
import { promises } from "./promises.ts";
import { fingerprint } from "./sha256.ts";
import { helpStart, helpStartSoon, newNonce } from "./starting.ts";
import type { Seated, TableOfMine } from "./types.ts";

const RECENT = 6; // finished games that are still among the tables; all of them are among one's games

/** Those that are on, and the last that are over; asked once, for those who ask again by themselves. */
export function tablesOfMine(): Promise<TableOfMine[]> {
  const done = device.seats.filter((seat) => seat.over && seat.noted).slice(0, -RECENT);
  return asked(device.seats.filter((seat) => !done.includes(seat)));
}

/** Tell this device that a game of its own is over, with what the server knows of it. */
export async function noteEnd(table: string): Promise<void> {
  const seats = device.seats.filter((seat) => seat.table === table && !seat.noted && !seat.gone);
  try {
    if (seats.length) await asked(seats);
  } catch (error) {
    if (!(error instanceof Trouble)) throw error; // the shelf asks again
  }
}

/** Those that may wait for us. */
export function tablesOn(): Promise<TableOfMine[]> {
  return asked(device.seats.filter((seat) => !seat.over && !seat.gone));
}

async function asked(seats: { token: string }[]): Promise<TableOfMine[]> {
  const tables = await mine(
    seats.map((seat) => seat.token),
    { patience: 0 },
  );
  device.learn(tables);
  void noteFinished(tables);
  void helpAll(tables);
  return tables;
}

/** Tables that wait for this device before their game can begin: nobody may have their page open. */
async function helpAll(tables: TableOfMine[]): Promise<void> {
  const waiting = new Set(tables.filter(({ starting }) => starting).map(({ id }) => id));
  for (const id of waiting) {
    try {
      await helpStart(id, await see(id, null));
    } catch (error) {
      if (!(error instanceof Trouble)) throw error; // the next look tries again
    }
  }
}

/** Each game is noted once, when it is first told that it is over; also if it was cleared since. */
async function noteFinished(tables: TableOfMine[]): Promise<void> {
  const noted = new Set(device.seats.filter((seat) => seat.noted).map((seat) => seat.table));
  const fresh = tables.filter(({ id, ended, expired }) => (ended || expired) && !noted.has(id));
  if (!fresh.length) return;
  const { history } = await patiently(() => import("../games/history.ts"));
  history.note(fresh);
  device.note(new Set(fresh.map(({ id }) => id)));
}

/**
 * Take a seat at a table, and keep it on this device, with what was promised of the table's luck: that is known, or
 * asked for, before we commit to our own part in it. If ours was the last seat, we reveal it.
 */
export async function sitDown(table: string, seat: number, name: string): Promise<void> {
  const promise = promises.get(table) ?? (await see(table, null)).commitment;
  const nonce = newNonce();
  const seated = await ask<Seated>(`/tables/${table}/seats/${seat}`, {
    method: "POST",
    body: { name, commitment: fingerprint(nonce) },
    key: draw(),
  });
  device.hold(table, seated.token, seated.table.game, { promise, nonce });
  await helpStartSoon(table, seated.table);
}
