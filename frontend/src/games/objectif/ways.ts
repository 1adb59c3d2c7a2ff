// How a move is chosen: a colour of the stock and a place, in any order. `o@3` puts orange on place 3.

import type { Ways } from "$engine/choosing.svelte.ts";

export const isPlace = (thing: string): boolean => /^\d/.test(thing);

export const placeOf = (move: string): string => move.split("@")[1]!;

/** `any`: a colour to ask about when only a place is tapped. */
export function waysOf(any: () => string): Ways {
  return {
    things: (move) => move.split("@"),
    meant: (chosen, thing) => {
      const things = [thing, ...chosen];
      return `${things.find((each) => !isPlace(each)) ?? any()}@${things.find(isPlace) ?? "1"}`;
    },
  };
}
