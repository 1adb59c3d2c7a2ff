// `xx..../o..../…|… 1 aabc 5 1`: everybody's pyramid row by row, whose turn it is, the dice that lie there, how many
// are not used, and how many blocks were placed since the last throw.

import { seats, withPlace, withValue, type Draft, type Editing } from "$engine/editing.ts";
import { placeOf, ROWS, seatOf, SPOTS } from "./site.ts";
import { DICE } from "./story.ts";

const WON = "x";
const LOOSE = "o";

const playersOf = ({ drawing }: Draft) =>
  1 + Math.max(...Object.keys(drawing).map((place) => (place.includes(":") ? seatOf(place) : 0)));

const sorted = (faces: string) => [...faces].sort().join("");

/** Dice that are not used: one is for each loose block. */
const leftOf = ({ drawing }: Draft) =>
  Math.max(0, DICE - Object.values(drawing).filter((piece) => piece === LOOSE).length);

function boardOf({ drawing }: Draft, seat: number): string {
  const rows = [...ROWS].map((row) =>
    SPOTS.filter((spot) => spot.row === row)
      .map((spot) => drawing[placeOf(seat, spot.name)] || ".")
      .join(""),
  );
  return rows.join("/");
}

export const editing: Editing = {
  read(text, drawing) {
    const [, turn = "1", , , placed = "0"] = text.split(" ");
    return { drawing, values: { turn, placed } };
  },
  write(draft) {
    const { drawing, values } = draft;
    const boards = Array.from({ length: playersOf(draft) }, (_, seat) => boardOf(draft, seat));
    return `${boards.join("|")} ${values.turn} ${drawing.dice || "-"} ${leftOf(draft)} ${values.placed}`;
  },
  pieces: () => [
    { letter: WON, words: "analysis.piece.won" },
    { letter: LOOSE, words: "analysis.piece.loose" },
  ],
  put(draft, thing, letter) {
    if (thing.startsWith("face:")) {
      const dice = draft.drawing.dice ?? "";
      return withPlace(draft, "dice", dice.replace(thing.slice(5), ""));
    }
    return /^\d:/.test(thing) ? withPlace(draft, thing, letter) : draft;
  },
  fields: (draft) => [
    { name: "turn", label: "analysis.field.turn", kind: "choice", values: seats(playersOf(draft)) },
    {
      name: "dice",
      label: "analysis.field.dice",
      kind: "faces",
      most: DICE,
      values: [...ROWS].map((row) => ({ value: row, words: `batisseurs.colour.${row}` })),
    },
    { name: "placed", label: "analysis.field.placed", kind: "number", most: DICE },
  ],
  get: ({ drawing, values }, field) => (field === "dice" ? (drawing.dice ?? "") : (values[field] ?? "")),
  set: (draft, field, value) =>
    field === "dice" ? withPlace(draft, "dice", sorted(value)) : withValue(draft, field, value),
  clear: (draft) =>
    Object.keys(draft.drawing).reduce(
      (left, place) => withPlace(left, place, ""),
      withValue(draft, "placed", "0"),
    ),
  turn: ({ values }) => Number(values.turn) - 1,
  facts: (draft) => ({ turn: Number(draft.values.turn) - 1, dice: leftOf(draft) }),
};
