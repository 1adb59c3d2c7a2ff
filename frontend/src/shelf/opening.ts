// Opening a table and sitting down at it.

import { ask, draw, sleep, Trouble } from "../lib/api.ts";
import { device } from "../lib/device.svelte.ts";
import { shelf } from "../lib/shelf.svelte.ts";
import type { GameCard, Seated } from "../lib/types.ts";
import { t } from "../lib/words.svelte.ts";
import type { TableWanted } from "./wanted.ts";

const USUAL_LEVEL = 2; // of a bot nobody has chosen

export type Waiting = (seconds: number) => void;

/** What is said to whoever waits for a table. */
export const waitingWords = (game: string, seconds: number) =>
  t("shelf.opening.preparing", { game: shelf.title(game), n: Math.max(1, seconds) });

/** One's own name at tables. */
export function ownName(): string {
  return device.settings.name.trim() || t("seat.guest");
}

/**
 * A new table; its id. While the house is still preparing the game nothing has been done yet, so
 * that asking again opens no second table: `waiting` is told for about how many seconds, and it goes
 * on by itself.
 */
export async function openTable(wanted: TableWanted, waiting: Waiting): Promise<string> {
  for (;;) {
    try {
      return (await ask<{ id: string }>("/tables", { method: "POST", body: wanted })).id;
    } catch (error) {
      if (!(error instanceof Trouble) || error.code !== "warming-up") throw error;
      waiting(error.detail.seconds ?? error.retryAfter);
      await sleep(Math.max(error.retryAfter, 1) * 1000);
    }
  }
}

export async function sitDown(table: string, seat: number, name: string): Promise<void> {
  const seated = await ask<Seated>(`/tables/${table}/seats/${seat}`, {
    method: "POST",
    body: { name, nonce: draw(8) },
    key: draw(),
  });
  device.hold(table, seated.token, seated.table.game);
}

/** A table with bots on all seats but ours; its id. */
export async function playNow(card: GameCard, waiting: Waiting): Promise<string> {
  const seats = Array.from({ length: card.default_players }, (_, seat) => ({ bot: seat === 0 ? 0 : USUAL_LEVEL }));
  const table = await openTable({ game: card.name, players: card.default_players, seats }, waiting);
  await sitDown(table, 0, ownName());
  return table;
}

/** A table whose seats are all taken on this device; its id. */
export async function playHere(game: string, names: string[], waiting: Waiting): Promise<string> {
  const table = await openTable({ game, players: names.length }, waiting);
  for (const [seat, name] of names.entries()) await sitDown(table, seat, name);
  return table;
}
