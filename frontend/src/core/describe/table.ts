// A table in words: who sits there, what they did, how it ended.

import { shelf } from "$core/tables/game-cards.svelte.ts";
import { describeMove } from "./moves.ts";
import { lookUp, t, words } from "$core/i18n/words.svelte.ts";
import { reasonWords } from "./endings.ts";
import type { Effect, Notice, SeatView, StepView, TableView } from "$core/http/types.ts";

export function seatName(seat: SeatView | undefined, number: number): string {
  if (seat?.name) return seat.away && seat.level ? t("seat.stand-in", { name: seat.name }) : seat.name;
  if (seat?.level) return t("seat.bot", { level: shelf.level(seat.level) });
  return t("seat.number", { n: number + 1 });
}

/** What a seat's player is, besides a name: a level, a program. */
export function seatRemark(seat: SeatView): string {
  if (seat.program) return t("seat.program");
  return seat.level ? shelf.level(seat.level) : "";
}

export function tellStep(table: TableView, step: StepView): string {
  const seat = step.seat ?? step.thrower;
  const who = seat === undefined ? t("log.dice") : seatName(table.seats[seat], seat);
  return t("log.line", { who, did: describeMove(table.game, step) });
}

/** A step while it is shown, as far as to an effect. Of dice no more is told than lies on the table by then. */
export function tellShown(table: TableView, step: StepView, effect: Effect): string {
  const falling = step.seat === undefined && effect[0] === step.effects[0]?.[0];
  if (!falling) return tellStep(table, step);
  return tellStep(table, { ...step, effects: step.effects.slice(0, step.effects.indexOf(effect) + 1) });
}

/** What happened at a table besides moves, as `Bob has left the table`. */
export function tellNotice(table: TableView, { kind, seat, resigned, timed_out, name }: Notice): string {
  const taken = seat === undefined ? undefined : table.seats[seat];
  const why = timed_out ? "timed-out" : resigned ? "resigned" : "";
  const values = { name: name || taken?.name || seatName(taken, seat ?? 0) };
  return lookUp(why ? `notice.${kind}.${why}` : `notice.${kind}`, values) ?? "";
}

/** What a full table waits for before its game can begin, for the holders of these seats. */
export function tellStarting(table: TableView, held: readonly number[], known: boolean): string {
  const pending = table.starting?.seats ?? [];
  const ours = pending.some((seat) => held.includes(seat));
  if (ours && !known) return t("lobby.starting.elsewhere");
  if (ours) return t("lobby.starting.ours");
  const names = pending.map((seat) => seatName(table.seats[seat], seat));
  return t("lobby.starting.others", { n: names.length, names: words.list(names) });
}

/** The seats that have won; none in a draw of all. */
export function winnersOf({ result }: TableView): number[] {
  const shares = result?.shares ?? [];
  const best = Math.max(...shares);
  const winners = shares.flatMap((share, seat) => (share === best ? [seat] : []));
  return winners.length === shares.length ? [] : winners;
}

/** How a game ended for the players of these seats; `watched`: for nobody or several of them. */
export type Ending = "won" | "lost" | "shared" | "draw" | "watched";

export interface Told {
  ending: Ending;
  title: string; // as it is said to them
  who: string; // who won, said to anybody
  why: string;
}

function endingFor({ seats }: TableView, winners: readonly number[], held: readonly number[]): Ending {
  const own = held.filter((seat) => !(seats[seat]?.away && seats[seat]?.level)); // no bot played it
  if (winners.length === 0) return "draw";
  if (own.length !== 1) return "watched";
  if (!winners.includes(own[0]!)) return "lost";
  return winners.length === 1 ? "won" : "shared";
}

/** Who won, and by what; for the players of these seats. */
export function tellResult(
  table: TableView,
  own: readonly number[] = table.you === undefined ? [] : [table.you],
): Told {
  const winners = winnersOf(table);
  const names = table.seats.map(seatName);
  const won = winners.map((seat) => names[seat]!);
  const ending = endingFor(table, winners, own);
  let who;
  if (ending === "draw") who = t("result.draw");
  else if (ending === "won") who = t("result.you-win");
  else if (won.length === 1) who = t("result.wins", { name: won[0]! });
  else who = t("result.share", { names: words.list(won) });
  const title = ending === "lost" ? t("result.you-lose") : ending === "shared" ? t("result.you-share") : who;
  return { ending, title, who, why: reasonWords(table.game, table.result!, table.facts ?? {}, names) };
}
