// Finished games as a file, to keep or to bring to another device. It has no seat's token in it.

import type { Counts, Earlier, GamePlayed, Player } from "./played.ts";

export const FORMAT = 1;
export const MOST = 2_000; // games that are kept one by one
const LARGEST = 4_000_000; // characters
const LATEST = 24 * 3600_000; // ms that another device's clock may be ahead

/** What a file cannot be read for; the words are in the catalogue. */
export class BadFile extends Error {
  constructor(
    readonly why: "too-large" | "no-json" | "not-ours" | "newer" | "bad-game" | "bad-earlier",
    readonly n = 0, // the game that is wrong, from 1
  ) {
    super(why);
  }
}

export interface Kept {
  games: GamePlayed[]; // the last first
  earlier: Earlier | null;
}

export const written = ({ games, earlier }: Kept): string =>
  JSON.stringify({ "benben-games": FORMAT, games, earlier }, null, 1) + "\n";

/** All that a file has, or BadFile: half of it is never taken. What we do not know is left out. */
export function readFile(text: string): Kept {
  if (text.length > LARGEST) throw new BadFile("too-large");
  const found = parsed(text);
  const format = found?.["benben-games"];
  if (!Number.isInteger(format) || !Array.isArray(found!.games)) throw new BadFile("not-ours");
  if (format !== FORMAT) throw new BadFile("newer");
  if (found!.games.length > MOST) throw new BadFile("too-large");
  const games = found!.games.map((each, at) => {
    const game = gameIn(each);
    if (!game) throw new BadFile("bad-game", at + 1);
    return game;
  });
  if (new Set(games.map(({ table }) => table)).size < games.length) throw new BadFile("not-ours");
  const earlier = found!.earlier === null ? null : earlierIn(found!.earlier);
  if (earlier === undefined) throw new BadFile("bad-earlier");
  return { games: games.sort((one, other) => other.at - one.at), earlier };
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const found: unknown = JSON.parse(text);
    return isObject(found) ? found : null;
  } catch {
    throw new BadFile("no-json");
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isText = (value: unknown, most: number): value is string =>
  typeof value === "string" && value.length <= most;
const isTime = (value: unknown): value is number => isCount(value) && value <= Date.now() + LATEST;

/** A game in which everything fits; null if something does not. */
export function gameIn(value: unknown): GamePlayed | null {
  if (!isObject(value)) return null;
  const { table, game, at, you, seats, shares, reason } = value;
  if (!isText(table, 64) || !/^[\w-]+$/.test(table) || !isText(game, 32) || !/^[a-z]+$/.test(game))
    return null;
  if (!isTime(at) || !isText(reason, 64) || !Array.isArray(seats) || !Array.isArray(shares)) return null;
  if (seats.length < 2 || seats.length > 8 || shares.length !== seats.length) return null;
  if (!shares.every((share) => typeof share === "number" && share >= 0 && share <= 1)) return null;
  if (Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) > 1e-6) return null;
  const players = seats.map(playerIn);
  if (!players.every((player) => player !== null)) return null;
  if (!Array.isArray(you) || you.length === 0 || new Set(you).size < you.length) return null;
  if (!you.every((seat) => isCount(seat) && seat < seats.length)) return null;
  return { table, game, at, you, seats: players, shares, reason };
}

function playerIn(value: unknown): Player | null {
  if (!isObject(value)) return null;
  const { name, level, program, hints } = value;
  if (!isText(name, 64)) return null;
  if (level !== undefined && !(isCount(level) && level >= 1 && level <= 9)) return null;
  if (hints !== undefined && !isCount(hints)) return null;
  return {
    name,
    ...(level ? { level } : {}),
    ...(program === true ? { program } : {}),
    ...(hints ? { hints } : {}),
  };
}

function earlierIn(value: unknown): Earlier | undefined {
  if (!isObject(value) || !isTime(value.until) || !isCount(value.games) || !isObject(value.counts))
    return undefined;
  const counts: Record<string, Counts> = {};
  for (const [key, row] of Object.entries(value.counts)) {
    if (!/^[a-z]+\/(people|[1-9])$/.test(key) || !isObject(row)) return undefined;
    const { won, lost, drawn } = row;
    if (!isCount(won) || !isCount(lost) || !isCount(drawn)) return undefined;
    counts[key] = { won, lost, drawn };
  }
  return { until: value.until, games: value.games, counts };
}
