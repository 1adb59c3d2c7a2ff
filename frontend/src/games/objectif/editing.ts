// `g/pO/… OOG|OPP 1 gy`: the places, the stocks, whose turn it is, and everybody's goal.

import { paletteOf } from "$engine/pieces/palette.ts";
import { seats, withPlace, withValue, type Draft, type Editing } from "$engine/editing.ts";
import { coloursOf, placesOf, stockOf } from "./reading.ts";
import { isPlace } from "./ways.ts";

const COLOURS = Object.keys(paletteOf("objectif")); // in the order of texts
const HIDDEN = "?";

const playersOf = ({ values }: Draft) => values.goals!.length;

/** Pieces of a stock in the order of texts. */
const sorted = (pieces: string) =>
  COLOURS.map((each) => [...pieces].filter((piece) => piece === each.toUpperCase()).join("")).join("");

/** With one piece less, or more, of a colour. */
function counted(stock: string, colour: string, more: boolean): string {
  const piece = colour.toUpperCase();
  return sorted(more ? stock + piece : stock.replace(piece, ""));
}

export const editing: Editing = {
  read(text, drawing) {
    const [, , turn = "1", goals = ""] = text.split(" ");
    return { drawing, values: { turn, goals } };
  },
  write(draft) {
    const { drawing, values } = draft;
    const places = placesOf(drawing).map((place) => drawing[place]);
    const stocks = Array.from({ length: playersOf(draft) }, (_, seat) => drawing[stockOf(seat)] || "-");
    return `${places.join("/")} ${stocks.join("|")} ${values.turn} ${values.goals}`;
  },
  pieces({ drawing }) {
    const colours = coloursOf(drawing, paletteOf("objectif"));
    return [
      ...colours.map((each) => ({
        letter: each.toUpperCase(),
        words: `objectif.colour.${each}`,
        colour: each,
      })),
      ...COLOURS.map((each) => ({
        letter: each,
        words: `objectif.colour.${each}`,
        colour: each,
        mark: "analysis.piece.base",
      })),
    ];
  },
  put(draft, thing, letter, bottom) {
    if (!isPlace(thing)) {
      const stock = stockOf(bottom);
      return withPlace(draft, stock, counted(draft.drawing[stock] ?? "", thing, letter !== ""));
    }
    const pieces = draft.drawing[thing] ?? "";
    if (letter === "") return withPlace(draft, thing, pieces.length > 1 ? pieces.slice(0, -1) : pieces);
    if (letter === letter.toLowerCase()) return withPlace(draft, thing, letter + pieces.slice(1));
    return withPlace(draft, thing, pieces + letter);
  },
  fields(draft) {
    const goals = [...coloursOf(draft.drawing, paletteOf("objectif")), HIDDEN].map((each) => ({
      value: each,
      words: each === HIDDEN ? "analysis.field.hidden" : `objectif.colour.${each}`,
      parameters: { of: "goal" },
    }));
    const players = playersOf(draft);
    return [
      { name: "turn", label: "analysis.field.turn", kind: "choice", values: seats(players) },
      ...seats(players).map((_, seat) => ({
        name: `goal:${seat}`,
        label: "analysis.field.goal",
        kind: "choice" as const,
        who: seat,
        values: goals,
      })),
    ];
  },
  get: ({ values }, field) =>
    field.startsWith("goal:") ? (values.goals![Number(field.slice(5))] ?? HIDDEN) : (values[field] ?? ""),
  set(draft, field, value) {
    if (!field.startsWith("goal:")) return withValue(draft, field, value);
    const goals = [...draft.values.goals!];
    goals[Number(field.slice(5))] = value;
    return withValue(draft, "goals", goals.join(""));
  },
  clear: (draft) =>
    placesOf(draft.drawing).reduce(
      (left, place) => withPlace(left, place, left.drawing[place]!.slice(0, 1)),
      draft,
    ),
  turn: ({ values }) => Number(values.turn) - 1,
  facts: ({ values }, before) => ({ ...before, goals: [...values.goals!] }),
};
