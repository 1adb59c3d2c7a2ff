// A finished game as a device remembers it, and what many of them come to.

import type { TableOfMine } from "$core/http/types.ts";

export interface Player {
  name: string;
  level?: number; // of a bot that had the seat from the start
  program?: true;
  hints?: number; // in how many positions
}

export interface GamePlayed {
  table: string;
  game: string;
  at: number; // when it was over
  you: number[]; // the seats of this device
  seats: Player[];
  shares: number[]; // of the point, by seat
  reason: string;
}

/** The games of some tables: one each, also where this device has several seats. */
export function gamesOf(tables: readonly TableOfMine[]): GamePlayed[] {
  const games = new Map<string, GamePlayed>();
  for (const { id, game, you, seats, result, ended } of tables) {
    if (!result || !ended) continue;
    const known = games.get(id);
    if (known) known.you.push(you);
    else {
      const { shares, reason } = result;
      const players = seats.map(({ name = "", level, taken, program, hints }) => ({
        name,
        ...(level && !taken ? { level } : {}), // who stands in for somebody is not whom we played
        ...(program ? { program } : {}),
        ...(hints ? { hints } : {}),
      }));
      games.set(id, { table: id, game, at: ended, you: [you], seats: players as Player[], shares, reason });
    }
  }
  return [...games.values()];
}

export type Outcome = "won" | "lost" | "drawn" | "together"; // together: several of us on this device

export function outcomeOf({ you, shares }: GamePlayed): Outcome {
  if (you.length !== 1) return "together";
  const share = shares[you[0]!];
  return share === 1 ? "won" : share === 0 ? "lost" : "drawn";
}

/** Whom we played: people or programs, or bots, of which the strongest counts. */
export type Against = "people" | number;

export function againstOf({ you, seats }: GamePlayed): Against {
  const others = seats.filter((_, seat) => !you.includes(seat));
  return others.length && others.every(({ level }) => level)
    ? Math.max(...others.map(({ level }) => level!))
    : "people";
}

export const hintsOf = ({ you, seats }: GamePlayed) =>
  you.reduce((sum, seat) => sum + (seats[seat]?.hints ?? 0), 0);

/** How often we won, lost and shared. */
export type Counts = Record<Exclude<Outcome, "together">, number>;

/** By "game/against": games that are only counted any more. */
export interface Earlier {
  until: number; // all of them were over by then
  games: number; // together with those on one device
  counts: Record<string, Counts>;
}

const nothing = (): Counts => ({ won: 0, lost: 0, drawn: 0 });

/** Count some more games only. */
export function summarised(earlier: Earlier | null, games: readonly GamePlayed[]): Earlier {
  const counts: Record<string, Counts> = structuredClone(earlier?.counts ?? {});
  let until = earlier?.until ?? 0;
  for (const game of games) {
    until = Math.max(until, game.at);
    const outcome = outcomeOf(game);
    if (outcome !== "together") (counts[`${game.game}/${againstOf(game)}`] ??= nothing())[outcome]++;
  }
  return { until, games: (earlier?.games ?? 0) + games.length, counts };
}

export interface Row extends Counts {
  against: Against;
}

/** By game, a row for each level played, then one for people. */
export function tallyOf(games: readonly GamePlayed[], earlier: Earlier | null): Map<string, Row[]> {
  const { counts } = summarised(earlier, games);
  const tally = new Map<string, Row[]>();
  for (const [key, row] of Object.entries(counts)) {
    const [game, whom] = key.split("/") as [string, string];
    const against = whom === "people" ? whom : Number(whom);
    tally.set(game, [...(tally.get(game) ?? []), { against, ...row }]);
  }
  for (const rows of tally.values()) rows.sort((a, b) => order(a.against) - order(b.against));
  return tally;
}

const order = (against: Against) => (against === "people" ? Infinity : against);
