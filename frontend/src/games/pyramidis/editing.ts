// `d1=bbb,d8=mm b0m0 b 0`: the columns, how many are home, whose turn it is, and since when nothing came nearer.

import { withPlace, withValue, type Draft, type Editing } from "$engine/editing.ts";

const HOME = "home:";
const MOST_QUIET = 100;

const isSquare = (place: string) => /^[a-h][1-8]$/.test(place);

const coloursOf = ({ values }: Draft) => [...values.colours!];

export const editing: Editing = {
  read(text, drawing) {
    const [, home = "", turn = "", quiet = "0"] = text.split(" ");
    return { drawing, values: { colours: home.replace(/\d/g, ""), turn, quiet } };
  },
  write(draft) {
    const { drawing, values } = draft;
    const columns = Object.keys(drawing)
      .filter((place) => isSquare(place) && drawing[place])
      .map((square) => `${square}=${drawing[square]}`);
    const home = coloursOf(draft).map((each) => `${each}${drawing[HOME + each]?.length ?? 0}`);
    return `${columns.join(",") || "-"} ${home.join("")} ${values.turn} ${values.quiet}`;
  },
  pieces: (draft) =>
    coloursOf(draft).map((each) => ({ letter: each, words: `pyramidis.colour.${each}`, colour: each })),
  put(draft, square, letter) {
    if (!isSquare(square)) return draft;
    const pyramids = draft.drawing[square] ?? "";
    return withPlace(draft, square, letter === "" ? pyramids.slice(0, -1) : pyramids + letter);
  },
  fields(draft) {
    const colours = coloursOf(draft).map((each) => ({ value: each, words: `pyramidis.colour.${each}` }));
    return [
      { name: "turn", label: "analysis.field.turn", kind: "choice", values: colours },
      ...colours.map(({ value, words }) => ({
        name: HOME + value,
        label: "analysis.field.home",
        kind: "number" as const,
        whose: words,
        most: 8,
      })),
      { name: "quiet", label: "analysis.field.quiet", kind: "number", most: MOST_QUIET },
    ];
  },
  get: ({ drawing, values }, field) =>
    field.startsWith(HOME) ? String(drawing[field]?.length ?? 0) : (values[field] ?? ""),
  set: (draft, field, value) =>
    field.startsWith(HOME)
      ? withPlace(draft, field, field.slice(HOME.length).repeat(Number(value)))
      : withValue(draft, field, value),
  clear: (draft) =>
    Object.keys(draft.drawing).reduce(
      (left, place) => withPlace(left, place, ""),
      withValue(draft, "quiet", "0"),
    ),
  turn: (draft) => Math.max(0, coloursOf(draft).indexOf(draft.values.turn!)),
  facts: (_, before) => before,
};
