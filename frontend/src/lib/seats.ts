// Seats of this device: taking one, and the tables where it has some, as the server knows them.

import { ask, draw, mine } from "./api.ts";
import { device } from "./device.svelte.ts";
import type { Seated, TableOfMine } from "./types.ts";

/** All of them; asked once, for those who ask again by themselves. */
export function tablesOfMine(): Promise<TableOfMine[]> {
  return asked(device.seats);
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
  return tables;
}

/** Take a seat at a table, and keep it on this device. */
export async function sitDown(table: string, seat: number, name: string): Promise<void> {
  const seated = await ask<Seated>(`/tables/${table}/seats/${seat}`, {
    method: "POST",
    body: { name, nonce: draw(8) },
    key: draw(),
  });
  device.hold(table, seated.token, seated.table.game);
}
