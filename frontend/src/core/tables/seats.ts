// Seats of this device: taking one, and the tables where it has some, as the server knows them.

import { request, randomHex, getHistory, getMyTables, getTable, ApiError } from "$core/http/api.ts";
import { device, noncesOf, type SeatHeld } from "$core/device/device.svelte.ts";
import { importWithRetry } from "$core/http/import-with-retry.ts";
import { commitments } from "./commitments.ts";
import { fingerprint } from "$core/crypto/sha256.ts";
import { advanceStart, advanceStartBriefly, newNonce } from "./starting.ts";
import type { Notice, TableOfMine } from "$core/http/types.ts";
import { t } from "$core/i18n/words.svelte.ts";

const RECENT = 6; // finished games that are still among the tables; all of them are among one's games
const MOST_SEATS = 8; // of a table

/** Those that are on, and the last that are over; asked once, for those who ask again by themselves. */
export function tablesOfMine(): Promise<TableOfMine[]> {
  const done = device.seats.filter((seat) => seat.over && seat.noted).slice(0, -RECENT);
  return asked(device.seats.filter((seat) => !done.includes(seat)));
}

/** Note on this device that one of its games is over, with what the server knows of it. */
export async function noteEnd(table: string): Promise<void> {
  const seats = device.seats.filter((seat) => seat.table === table && !seat.noted && !seat.gone);
  try {
    if (seats.length) await asked(seats);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error; // the shelf asks again
  }
}

/** Those that may wait for us. */
export function tablesOn(): Promise<TableOfMine[]> {
  return asked(device.seats.filter((seat) => !seat.over && !seat.gone));
}

async function asked(seats: SeatHeld[]): Promise<TableOfMine[]> {
  const tables = await getMyTables(
    seats.map((seat) => seat.token),
    { patience: 0 },
  );
  device.learn(tables);
  void noteFinished(tables);
  void advanceAll(tables);
  void findLost(seats, tables);
  return tables;
}

/** Tables that wait for this device before their game can begin: nobody may have their page open. */
async function advanceAll(tables: TableOfMine[]): Promise<void> {
  const waiting = new Set(tables.filter(({ starting }) => starting).map(({ id }) => id));
  for (const id of waiting) {
    try {
      await advanceStart(id, await getTable(id, null));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // the next look tries again
    }
  }
}

/** Whether a notice says that this seat was freed before the game. */
export function isLostBy({ seat, since = 0 }: SeatHeld, notice: Notice): boolean {
  return notice.kind === "unrevealed" && notice.seat === seat && notice.number > since;
}

const looked = new Set<string>(); // tokens of seats that are not told of, and about which the server was asked

/** Note seats that were freed before the game: nobody may have their page open. */
async function findLost(seats: SeatHeld[], tables: TableOfMine[]): Promise<void> {
  const told = new Set(tables.map(({ id }) => id));
  const missing = seats.filter(
    (held) => !held.gone && !held.over && !told.has(held.table) && noncesOf(held).length > 0,
  );
  for (const held of missing) {
    if (looked.has(held.token)) continue;
    try {
      const { notices } = await getHistory(held.table, null);
      looked.add(held.token);
      if (notices.some((notice) => isLostBy(held, notice))) device.noteLost(held.token);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // its table may not be ready yet, or be gone
    }
  }
}

/** Each game is noted once, when it is first told that it is over; also if it was cleared since. */
async function noteFinished(tables: TableOfMine[]): Promise<void> {
  const noted = new Set(device.seats.filter((seat) => seat.noted).map((seat) => seat.table));
  const fresh = tables.filter(({ id, ended, expired }) => (ended || expired) && !noted.has(id));
  if (!fresh.length) return;
  const { history } = await importWithRetry(() => import("$core/archive/history.ts"));
  history.note(fresh);
  device.note(new Set(fresh.map(({ id }) => id)));
}

/**
 * Take a seat at a table, and keep it on this device, with what was promised of the table's luck: that is known, or
 * asked for, before we commit to our own part in it. If ours was the last seat, we reveal it. Who has no name is a
 * guest.
 */
export async function sitDown(table: string, seat: number, name: string): Promise<void> {
  const promise = commitments.get(table) ?? (await getTable(table, null)).commitment;
  const nonce = newNonce();
  const take = (as: string) =>
    request("POST /tables/{table}/seats/{seat}", {
      path: { table, seat },
      body: { name: as, commitment: fingerprint(nonce) },
      key: randomHex(),
    });
  const seated = await (name ? take(name) : asGuest(take));
  const chosen = { seat: seated.seat, since: seated.table.number };
  device.hold(table, seated.token, seated.table.game, { promise, nonce }, chosen);
  device.dismissLost(table);
  await advanceStartBriefly(table, seated.table);
}

/** By the first name of a guest that nobody at the table has. */
async function asGuest<T>(take: (name: string) => Promise<T>): Promise<T> {
  for (let n = 1; ; n++) {
    try {
      return await take(n === 1 ? t("seat.guest") : t("seat.guest.number", { n }));
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "name-taken" || n === MOST_SEATS) throw error;
    }
  }
}
