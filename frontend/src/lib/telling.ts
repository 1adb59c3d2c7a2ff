// What a move does in words, made from its effects: in the log, in announcements, on boards.

import type { Effect } from "./types.ts";
import { t, words } from "./words.svelte.ts";

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
  const groups = grouped(effects);
  const told: string[] = [];
  for (let from = 0; from < groups.length;) {
    const to = phraseEnd(game, groups, from);
    if (to > from) told.push(phrase(game, groups.slice(from, to)));
    from = Math.max(to, from + 1); // what has no words is not worth telling
  }
  return told.join(", ");
}

/** The same of a move, also of one that nothing but its name tells of. */
export function tellMove(game: string, { move, effects }: { move: string; effects: Effect[] }): string {
  const named = `${game}.move.${move}`;
  return tell(game, effects) || (words.has(named) ? t(named) : move);
}

/** Effects of a kind that follow each other are told together. */
function grouped(effects: Effect[]): Effect[][] {
  const groups: Effect[][] = [];
  for (const effect of effects) {
    if (groups.at(-1)?.[0]![0] === effect[0]) groups.at(-1)!.push(effect);
    else groups.push([effect]);
  }
  return groups;
}

const keyOf = (game: string, groups: Effect[][]) =>
  `${game}.effect.${groups.map(([first]) => first![0]).join("-")}`;

/** Kinds that follow each other may have words in common: up to where; the same place if there are none. */
function phraseEnd(game: string, groups: Effect[][], from: number): number {
  for (let to = groups.length; to > from; to--) {
    const key = keyOf(game, groups.slice(from, to));
    if (words.has(key) || words.has(`${key}.other`)) return to;
  }
  return from;
}

/** What is counted, and where it ends, is of the last kind; the rest of the first. */
function phrase(game: string, groups: Effect[][]): string {
  const [first, last] = [groups[0]!, groups.at(-1)!];
  const [, source, , piece] = first.at(-1)!;
  return t(keyOf(game, groups), {
    n: last.length,
    source: placeName(source),
    target: placeName(last.at(-1)![2]),
    colour: piece === null ? "" : colourName(game, piece),
    all: listed(game, `${keyOf(game, [first])}.item`, first),
  });
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
