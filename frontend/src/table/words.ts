// A game told in words, made from effects: the log, the announcements, the end.

import { shelf } from "../lib/shelf.svelte.ts";
import { t, words } from "../lib/words.svelte.ts";
import type { Effect, SeatView, StepView, Table } from "../lib/types.ts";

/** The name of a piece's colour, as `orange`. */
export function colourName(game: string, piece: string): string {
  return t(`${game}.colour.${piece.toLowerCase()}`);
}

/** A place as people call it: without what stands before the colon. */
export function placeName(place: string | null): string {
  return (place ?? "").split(":").pop() ?? "";
}

/** What a step did, without its subject: `put orange on place 2`. */
export function tell(game: string, effects: Effect[]): string {
  const told: string[] = [];
  for (let from = 0; from < effects.length; ) {
    const kind = effects[from]![0];
    let to = from;
    while (to < effects.length && effects[to]![0] === kind) to++;
    const key = `${game}.effect.${kind}`;
    const group = effects.slice(from, to);
    from = to;
    const phrase = words.has(key) || words.has(`${key}.other`);
    if (!phrase) continue; // not worth telling
    const [, source, target, piece] = group.at(-1)!;
    told.push(
      t(key, {
        n: group.length,
        source: placeName(source),
        target: placeName(target),
        colour: piece === null ? "" : colourName(game, piece),
        all: listed(game, `${key}.item`, group),
      }),
    );
  }
  return told.join(", ");
}

function listed(game: string, key: string, group: Effect[]): string {
  if (!words.has(key)) return "";
  const items = group.map(([, source, target, piece]) =>
    t(key, {
      source: placeName(source),
      target: placeName(target),
      colour: piece === null ? "" : colourName(game, piece),
    }),
  );
  return items.join(", ");
}

export function seatName(seat: SeatView | undefined, number: number): string {
  if (seat?.name) return seat.away ? t("seat.stand-in", { name: seat.name }) : seat.name;
  if (seat?.level) return t("seat.bot", { level: shelf.level(seat.level) });
  return t("seat.number", { n: number + 1 });
}

export function tellStep(table: Table, step: StepView): string {
  const did = tell(table.game, step.effects) || step.move;
  const who = step.seat === undefined ? t("log.dice") : seatName(table.seats[step.seat], step.seat);
  return t("log.line", { who, did });
}

/** Who won, and by what. */
export function tellResult(table: Table): { who: string; why: string } {
  const { shares, reason } = table.result!;
  const best = Math.max(...shares);
  const winners = shares.flatMap((share, seat) => (share === best ? [seat] : []));
  const names = winners.map((seat) => seatName(table.seats[seat], seat));
  let who;
  if (winners.length === shares.length) who = t("result.draw");
  else if (winners.length === 1) who = winners[0] === table.you ? t("result.you-win") : t("result.wins", { name: names[0]! });
  else who = t("result.share", { names: words.list(names) });
  const loser = shares.findIndex((share) => share === 0);
  const general = ["resigned", "time-out"].includes(reason);
  const why = general
    ? t(`reason.${reason}`, { name: seatName(table.seats[loser], loser) })
    : t(`${table.game}.reason.${reason}`);
  return { who, why };
}
