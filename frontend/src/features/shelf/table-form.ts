// What is asked for when a table is opened, made from what was chosen. What a game allows, its card says.

import { valuesFor } from "$core/tables/game-options.ts";
import type { TableWanted } from "$core/tables/opening.ts";
import type { GameCard, Leaver, Pace, Resign } from "$core/http/types.ts";

export const ME = -1;
export const FRIEND = 0; // any other number is a bot's level

export interface Chosen {
  players: number;
  seats: number[]; // ME, FRIEND or a level, one for each seat there may be
  first: string; // a seat from 1, or `random`
  option: string;
  pace: Pace["pace"];
  minutes: number;
  increment: number;
  days: number;
  leaver: Leaver;
  resign: Resign; // of two players the other has won, whatever was chosen
  listed: boolean;
  watchable: boolean | null; // null: if it is listed
  drawn: boolean;
}

/** Whether anyone may watch. */
export const isWatchable = ({ watchable, listed }: Chosen): boolean => watchable ?? listed;

export function usual(card: GameCard): Chosen {
  return {
    players: card.default_players,
    seats: Array.from({ length: Math.max(...card.players) }, (_, seat) => (seat === 0 ? ME : FRIEND)),
    first: card.first,
    option: card.option.values[0] ?? "",
    pace: "none",
    minutes: 10,
    increment: 5,
    days: 2,
    leaver: "wait",
    resign: "bot",
    listed: false,
    watchable: null,
    drawn: false,
  };
}

/** The same with another number of players: what no longer fits is as usual again. */
export function withPlayers(card: GameCard, chosen: Chosen, players: number): Chosen {
  const values = valuesFor(card, players);
  const seats = [...chosen.seats];
  if (seats.indexOf(ME) >= players) {
    seats[seats.indexOf(ME)] = FRIEND;
    seats[0] = ME;
  }
  return {
    ...chosen,
    players,
    seats,
    first: Number(chosen.first) > players ? card.first : chosen.first,
    option: values.includes(chosen.option) ? chosen.option : (values[0] ?? ""),
  };
}

/** The same with somebody else on a seat that is not ours. There is one of us: we change places. */
export function withSeat(chosen: Chosen, seat: number, who: number): Chosen {
  const seats = [...chosen.seats];
  if (who === ME) seats[seats.indexOf(ME)] = seats[seat]!;
  seats[seat] = who;
  return { ...chosen, seats };
}

export function wantedOf(card: GameCard, chosen: Chosen): TableWanted {
  const options: Record<string, string | number> = {};
  if (!card.first_is_fixed) options.first = chosen.first === "random" ? "random" : Number(chosen.first);
  if (valuesFor(card, chosen.players).includes(chosen.option)) options[card.option.name] = chosen.option;
  return {
    game: card.name,
    players: chosen.players,
    options,
    seats: chosen.seats.slice(0, chosen.players).map((who) => ({ bot: Math.max(who, 0) })),
    pace: paceOf(chosen),
    leaver: chosen.leaver,
    resign: chosen.players > 2 ? chosen.resign : undefined,
    listed: chosen.listed,
    watchable: isWatchable(chosen),
    drawn: chosen.drawn,
  };
}

function paceOf({ pace, minutes, increment, days }: Chosen): Pace {
  if (pace === "live") return { pace, seconds: Math.round(minutes * 60), increment };
  if (pace === "days") return { pace, days };
  return { pace: "none" };
}
