// Moves by their notation: `@c3` puts a pawn, `c3d4` steps, `+f5` places the token. Which of them
// may be played is in `legal`, and only there.

import type { Drawing, MoveView } from "../../lib/types.ts";

export type Phase = "put" | "step" | "place" | "none";

export interface Choices {
  phase: Phase;
  direct: Map<string, MoveView>; // played by a tap on one square
  steps: Map<string, Map<string, MoveView>>; // from, to
}

export function choicesOf(legal: MoveView[]): Choices {
  const choices: Choices = { phase: "none", direct: new Map(), steps: new Map() };
  for (const seen of legal) {
    const { move } = seen;
    if (move[0] === "@" || move[0] === "+") {
      choices.phase = move[0] === "@" ? "put" : "place";
      choices.direct.set(move.slice(1), seen);
    } else {
      choices.phase = "step";
      const from = move.slice(0, 2);
      if (!choices.steps.has(from)) choices.steps.set(from, new Map());
      choices.steps.get(from)!.set(move.slice(2), seen);
    }
  }
  return choices;
}

/** The pawns that may step to a square. */
export function pawnsTo({ steps }: Choices, square: string): string[] {
  return [...steps].filter(([, targets]) => targets.has(square)).map(([from]) => from);
}

/** What a tap on a square would mean, though no legal move covers it. */
export function meant(phase: Phase, chosen: string | null, square: string): string {
  if (phase === "place") return `+${square}`;
  if (phase === "step") return `${chosen ?? square}${square}`;
  return `@${square}`;
}

/** What lies on a place: its tokens, bottom to top, and the pawn on them. */
export function readPlace(pieces: string): { tokens: string; pawn: string } {
  const pawn = [...pieces].find((piece) => piece !== piece.toLowerCase()) ?? "";
  return { tokens: pieces.replace(pawn, ""), pawn };
}

export const PAWNS = ["W", "B"]; // by seat

/** The colours a seat's pawns stand on. */
export function coloursOf(drawing: Drawing, squares: string[], seat: number): string[] {
  const standing = squares.map((square) => readPlace(drawing[square] ?? "")).filter(({ pawn }) => pawn === PAWNS[seat]);
  return [...new Set(standing.map(({ tokens }) => tokens.at(-1) ?? ""))].filter(Boolean);
}
