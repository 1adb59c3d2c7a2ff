// What a move does in words, made from its effects: in the log, in announcements, on boards.

import type { Effect } from "$core/http/types.ts";
import { lookUp, words } from "$core/i18n/words.svelte.ts";

/** The name of a colour, as `orange`; it may have another gender as that `of` a goal than of a piece. */
export function colourName(game: string, piece: string, of = "piece"): string {
  return lookUp(`${game}.colour.${piece.toLowerCase()}`, { of }) ?? piece;
}

/** A place as people call it: without what stands before the colon, and in words if its board does not name it. */
export function placeName(game: string, place: string | null): string {
  const name = (place ?? "").split(":").pop() ?? "";
  const colour = colourName(game, name.charAt(0));
  return lookUp(`${game}.spot.${name.slice(1)}`, { colour }) ?? name;
}

/** Those among some parameters that are places, as people call them. */
export function namedPlaces<T extends Record<string, string | number>>(game: string, parameters: T): T {
  const named = Object.entries(parameters).filter(([key]) => key === "place" || key === "above");
  return { ...parameters, ...Object.fromEntries(named.map(([key, at]) => [key, placeName(game, `${at}`)])) };
}

/** What is told of a step: what it does, or to do it. */
type Form = "effect" | "suggest";

/** What a step does, without its subject: `puts orange on place 2`; or as advice: `put orange on place 2`. */
export function describeEffects(game: string, effects: Effect[], form: Form = "effect"): string {
  const groups = grouped(effects);
  const told: string[] = [];
  for (let from = 0; from < groups.length;) {
    const to = phraseEnd(game, groups, from);
    if (to > from) told.push(phrase(game, groups.slice(from, to), form));
    from = Math.max(to, from + 1); // what has no words is not worth telling
  }
  return told.join(", ");
}

/** The same of a move, also of one of which only the name is known. */
export function describeMove(game: string, { move, effects }: { move: string; effects: Effect[] }): string {
  return describeEffects(game, effects) || (lookUp(`${game}.move.${move}`) ?? move);
}

/** A move as advice. */
export function describeAdvice(game: string, { move, effects }: { move: string; effects: Effect[] }): string {
  const own = lookUp(`${game}.suggest.${move}`); // what it does may not say what to do
  return own ?? (describeEffects(game, effects, "suggest") || move);
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
    if (words.has(keyOf(game, groups.slice(from, to)))) return to;
  }
  return from;
}

/** The same as advice, where that is said in other words. */
function suggestionOf(game: string, groups: Effect[][]): string {
  const key = `${game}.suggest.${groups.map(([first]) => first![0]).join("-")}`;
  return words.has(key) ? key : keyOf(game, groups);
}

/** What is counted, and where it ends, is of the last kind; the rest of the first. */
function phrase(game: string, groups: Effect[][], form: Form): string {
  const [first, last] = [groups[0]!, groups.at(-1)!];
  const [, source, , piece] = first.at(-1)!;
  const values = {
    n: last.length,
    source: placeName(game, source),
    target: placeName(game, last.at(-1)![2]),
    colour: piece === null ? "" : colourName(game, piece),
    all: listed(game, `${keyOf(game, [first])}.item`, first),
  };
  return lookUp(form === "suggest" ? suggestionOf(game, groups) : keyOf(game, groups), values) ?? "";
}

function listed(game: string, key: string, group: Effect[]): string {
  const items = group.map(([, source, target, piece]) =>
    lookUp(key, {
      source: placeName(game, source),
      target: placeName(game, target),
      colour: piece === null ? "" : colourName(game, piece),
    }),
  );
  return items.filter(Boolean).join(", ");
}
