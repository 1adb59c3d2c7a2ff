// How moves are chosen: a block by its place, or by a die that shows its colour.

import type { Drawing, Effect, Choice } from "$core/http/types.ts";
import type { Ways } from "$engine/choosing.svelte.ts";
import { nameOf, placeOf, SPOTS } from "./site.ts";

const pieceOf = (effects: Effect[], wanted: string) => effects.find(([kind]) => kind === wanted);

/** A die, by the face it shows; all that show it are alike. */
export const dieOf = (face: string) => `face:${face}`;

/** What is tapped for a move: a place or a die, or the button that says it. */
export function thingsOf({ move, effects }: Choice): string[] {
  const place = pieceOf(effects, "place")?.[2];
  const face = pieceOf(effects, "use")?.[3];
  return place && face ? [place, dieOf(face)] : [move];
}

/** How many pieces a move touches in one way: the dice it gathers, the blocks it wins. */
export function countOf(effects: Effect[], wanted: string): number {
  return effects.filter(([kind]) => kind === wanted).length;
}

interface Given {
  moves: readonly Choice[];
  drawing: Drawing;
  seat: number; // whose pyramid can be tapped
}

export function waysOf(given: () => Given): Ways {
  return {
    things: (move) => thingsOf(given().moves.find((seen) => seen.move === move)!),
    prefer: (left) => (left.length === 1 ? left[0]! : null),
    meant: (_, thing) => {
      const { moves, drawing, seat } = given();
      const row = SPOTS.filter((spot) => dieOf(spot.row) === thing);
      if (row.length === 0) return nameOf(thing);
      // A die that fits nowhere: it can be said why of the first free place in its row; a full row says it itself.
      const legal = moves.find((seen) => thingsOf(seen).includes(thing));
      const free = row.find((spot) => !drawing[placeOf(seat, spot.name)]);
      return legal?.move ?? free?.name ?? null;
    },
  };
}
