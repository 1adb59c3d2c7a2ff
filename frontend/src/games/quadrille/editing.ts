// `oyo(yr)oyo./… c3,d4 e5,f6 w token b r 0`: the ranks from the top, the pawns of both sides, whose turn it is,
// what it is about, the tokens in hand and on their way, and since when no token fell out of the game.

import { withPlace, withValue, type Draft, type Editing } from "$engine/editing.ts";
import { SQUARES } from "./layout.ts";
import { readPlace } from "./moves.ts";

const TOKENS = "broy";
const PAWNS = { W: "w", B: "b" };
const PHASES = ["pawn", "step", "token"];
const MOST_TOKENS = 2; // on a square, as far as it can be written
const MOST_PAWNS = 2;
const MOST_QUIET = 50;
const NONE = "-";

/** Squares in the order of their names. */
const NAMED = [...SQUARES].sort();

function cell(pieces: string): string {
  const { tokens } = readPlace(pieces);
  return tokens.length > 1 ? `(${tokens})` : tokens || ".";
}

const pawnsOf = ({ drawing }: Draft, pawn: string) =>
  NAMED.filter((square) => drawing[square]?.includes(pawn));

/** With as many pawns beside the board as are not on it. */
function withReserves(draft: Draft): Draft {
  return Object.entries(PAWNS).reduce(
    (left, [pawn, side]) =>
      withPlace(left, `pawns:${side}`, pawn.repeat(Math.max(0, MOST_PAWNS - pawnsOf(left, pawn).length))),
    draft,
  );
}

export const editing: Editing = {
  read(text, drawing) {
    const [, , , turn = "w", phase = "pawn", , , quiet = "0"] = text.split(" ");
    return { drawing, values: { turn, phase, quiet } };
  },
  write(draft) {
    const { drawing, values } = draft;
    const ranks = [..."654321"].map((rank) =>
      [..."abcdefgh"].map((file) => cell(drawing[file + rank] ?? "")).join(""),
    );
    const pawns = Object.keys(PAWNS).map((pawn) => pawnsOf(draft, pawn).join(",") || NONE);
    const tokens = ["hand", "gift"].map((place) => drawing[place] || NONE);
    return [ranks.join("/"), ...pawns, values.turn, values.phase, ...tokens, values.quiet].join(" ");
  },
  pieces: () => [
    ...[...TOKENS].map((each) => ({ letter: each, words: `quadrille.colour.${each}`, colour: each })),
    ...Object.entries(PAWNS).map(([letter, side]) => ({
      letter,
      words: `quadrille.board.pawn.${side}`,
      colour: letter,
    })),
  ],
  put(draft, square, letter) {
    const { tokens, pawn } = readPlace(draft.drawing[square] ?? "");
    if (letter === "") return withReserves(withPlace(draft, square, pawn ? tokens : tokens.slice(0, -1)));
    if (letter in PAWNS) return withReserves(withPlace(draft, square, tokens + letter));
    const below = tokens.length < MOST_TOKENS ? tokens : tokens.slice(0, -1);
    return withPlace(draft, square, below + letter + pawn);
  },
  fields: () => [
    {
      name: "turn",
      label: "analysis.field.turn",
      kind: "choice",
      values: Object.values(PAWNS).map((side) => ({ value: side, words: `analysis.side.${side}` })),
    },
    {
      name: "phase",
      label: "analysis.field.phase",
      kind: "choice",
      values: PHASES.map((phase) => ({ value: phase, words: `analysis.phase.${phase}` })),
    },
    ...["hand", "gift"].map((name) => ({
      name,
      label: `analysis.field.${name}`,
      kind: "choice" as const,
      values: [
        { value: "", words: "analysis.field.none" },
        ...[...TOKENS].map((each) => ({ value: each, words: `quadrille.colour.${each}` })),
      ],
    })),
    { name: "quiet", label: "analysis.field.quiet.fall", kind: "number", most: MOST_QUIET },
  ],
  get: ({ drawing, values }, field) =>
    field === "hand" || field === "gift" ? (drawing[field] ?? "") : (values[field] ?? ""),
  set: (draft, field, value) =>
    field === "hand" || field === "gift" ? withPlace(draft, field, value) : withValue(draft, field, value),
  clear: (draft) =>
    withReserves([...NAMED, "hand", "gift"].reduce((left, place) => withPlace(left, place, ""), draft)),
  turn: ({ values }) => (values.turn === "b" ? 1 : 0),
  facts: (_, before) => ({ ...before, control: ["", ""] }), // the server tells it when the position is possible
};
