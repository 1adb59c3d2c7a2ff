// Opening a table and sitting down at it.

import { request, randomHex, type ApiError } from "$core/http/api.ts";
import type { Body } from "$core/http/routes.ts";
import { device, type Opponents } from "$core/device/device.svelte.ts";
import { commitments } from "./commitments.ts";
import { sitDown } from "./seats.ts";
import { shelf } from "./game-cards.svelte.ts";
import type { GameCard, Leaver, Options, Pace, Resign } from "$core/http/types.ts";
import { t } from "$core/i18n/words.svelte.ts";

type OpenTable = Body<"POST /tables">;

/** What the server is asked for. Which games there are is known from their cards. */
export interface TableWanted extends Omit<OpenTable, "game"> {
  game: string;
}

export const USUAL_LEVEL = 2; // of a bot nobody has chosen

export type Waiting = (seconds: number) => void;

/** The message for a person who waits for a table. */
export const waitingWords = (game: string, seconds: number) =>
  t("shelf.opening.preparing", { game: shelf.title(game), n: Math.max(1, seconds) });

/** One's own name at tables; empty: a guest. */
export function ownName(): string {
  return device.settings.name.trim();
}

const PATIENCE = 600_000; // ms: a first start takes minutes on a slow machine

/**
 * A new table; its id. It is asked for by a key, so that asking again opens no second one. While the server
 * is still preparing the game, `waiting` is told for about how many seconds, and it goes on by itself.
 */
export async function openTable(wanted: TableWanted, waiting: Waiting): Promise<string> {
  const onRetry = ({ code, detail, retryAfter }: ApiError) => {
    if (code === "warming-up") waiting(detail.seconds ?? retryAfter);
  };
  const options = { body: wanted as OpenTable, key: randomHex(), patience: PATIENCE, onRetry };
  const { id, commitment } = await request("POST /tables", options);
  commitments.set(id, commitment);
  return id;
}

/** Whom one plays against at once: the last ones chosen for this game, at first one bot of the usual level. */
export function opponentsFor({ name, players, levels }: GameCard): Opponents {
  const chosen = device.settings.opponents[name];
  return {
    level: levels.some(({ level }) => level === chosen?.level) ? chosen!.level : USUAL_LEVEL,
    players: chosen && players.includes(chosen.players) ? chosen.players : Math.min(...players),
  };
}

/** Play against these the next time, too. */
export function chooseOpponents(game: string, chosen: Opponents): void {
  device.settings.opponents[game] = chosen;
  device.save();
}

/** The levels of a game's bots, the gentlest first; none as long as the shelf is not loaded. */
export const levelsOf = (game: string): number[] => shelf.card(game)?.levels.map(({ level }) => level) ?? [];

/** A table with bots on all seats but ours; its id. */
export function playNow(card: GameCard, waiting: Waiting): Promise<string> {
  const { level, players } = opponentsFor(card);
  return playAgainst(card.name, level, { options: { players } }, waiting);
}

/** Of a table that is played already, what another one takes over. */
export interface Alike {
  options: Options; // with the number of players
  you?: number | null; // our seat
  pace?: Pace;
  leaver?: Leaver;
  resign?: Resign;
  position?: string; // to begin with
}

/**
 * A new table like another, with bots of a level on all seats but ours, where we are seated; its id.
 * A `TableView` is such another one. The level is remembered as that of the game.
 */
export async function playAgainst(
  game: string,
  level: number,
  { options: { players, ...options }, you, pace, leaver, resign, position }: Alike,
  waiting: Waiting = () => {},
): Promise<string> {
  const count = Number(players);
  const ours = you ?? 0;
  const seats = Array.from({ length: count }, (_, seat) => ({ bot: seat === ours ? 0 : level }));
  chooseOpponents(game, { level, players: count });
  const table = await openTable(
    { game, players: count, options, seats, pace, leaver, resign, position },
    waiting,
  );
  await sitDown(table, ours, ownName());
  return table;
}

/** A table whose seats are all taken on this device; its id. */
export async function playHere(game: string, names: string[], waiting: Waiting): Promise<string> {
  const table = await openTable({ game, players: names.length }, waiting);
  for (const [seat, name] of names.entries()) await sitDown(table, seat, name);
  return table;
}
