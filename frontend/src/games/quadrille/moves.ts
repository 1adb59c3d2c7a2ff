// Moves by their notation: `@c3` puts a pawn, `c3d4` steps, `+f5` places the token. Which of them
// may be played the offer says, and nothing else.

import type { Choice } from "$core/http/types.ts";
import type { Scene } from "$engine/contract.ts";

export type Phase = "put" | "step" | "place";

export function phaseOf(moves: readonly Choice[]): Phase | null {
  const [first] = moves;
  if (!first) return null;
  return first.move[0] === "@" ? "put" : first.move[0] === "+" ? "place" : "step";
}

/** The squares of a move: a pawn's first, then where it steps. */
export const squaresOf = (move: string): string[] => move.match(/[a-h][1-6]/g) ?? [];

/** The pawns that may step. */
export function steppers(moves: readonly Choice[]): Set<string> {
  const steps = moves.map(({ move }) => squaresOf(move)).filter((squares) => squares.length > 1);
  return new Set(steps.map(([pawn]) => pawn!));
}

/** The squares around one, as far as there are any. */
export function around(square: string): string[] {
  const near = (letter: string) => [-1, 0, 1].map((by) => String.fromCharCode(letter.charCodeAt(0) + by));
  const all = near(square[0]!).flatMap((file) => near(square[1]!).map((rank) => file + rank));
  return all.filter((each) => each !== square && /^[a-h][1-6]$/.test(each));
}

/** Where there is but one way to get to a square, that is the move; a pawn is only taken up. */
export function prefer(left: readonly Choice[], things: readonly string[]): Choice | null {
  const [only] = left;
  return left.length === 1 && things.includes(squaresOf(only!.move).at(-1)!) ? only! : null;
}

/** What a tap on a square would mean, though no legal move covers it. */
export function meant(moves: readonly Choice[], chosen: readonly string[], square: string): string {
  const phase = phaseOf(moves);
  if (phase === "place") return `+${square}`;
  if (phase !== "step") return `@${square}`;
  const pawns = steppers(moves);
  const pawn = chosen.find((each) => pawns.has(each)) ?? (pawns.size === 1 ? [...pawns][0]! : null);
  return pawn ? pawn + square : square + (chosen[0] ?? square);
}

/** What lies on a place: its tokens, bottom to top, and the pawn on them. */
export function readPlace(pieces: string): { tokens: string; pawn: string } {
  const pawn = [...pieces].find((piece) => piece !== piece.toLowerCase()) ?? "";
  return { tokens: pieces.replace(pawn, ""), pawn };
}

/** The seat that has the hand: it moves, or it was the last one to do or to be given something. */
export function holderOf({ effect, toMove, steps }: Scene): number | null {
  const owners = steps.flatMap(({ effects }) => effects.map(([, , , , owner]) => owner));
  return effect?.[4] ?? toMove ?? owners.filter((owner) => owner !== null).at(-1) ?? null;
}
