import { describe, expect, it } from "vitest";
import { editingOf, REMOVE, type Draft, type Editing } from "./editing.ts";
import EXAMPLES from "./editing.examples.json";

// As the server writes and draws them: `editing.examples.json` has positions of games played at random.
type Example = { game: string; text: string; drawing: Record<string, string> };
const examples = EXAMPLES as unknown as Example[];

async function begun({ game, text, drawing }: Example): Promise<[Editing, Draft]> {
  const editing = await editingOf(game)!();
  return [editing, editing.read(text, drawing)];
}

const first = (game: string) => begun(examples.find((each) => each.game === game)!);

describe("a draft", () => {
  it.each(examples)("is written as it was read: $game $text", async (example) => {
    const [editing, draft] = await begun(example);
    expect(editing.write(draft)).toBe(example.text);
    for (const { name } of editing.fields(draft)) {
      const same = editing.set(draft, name, editing.get(draft, name));
      expect(editing.write(same)).toBe(example.text);
    }
  });

  it.each(examples)("loses what is put on it again: $game $text", async (example) => {
    const [editing, draft] = await begun(example);
    const place = example.game === "batisseurs" ? "1:f1" : Object.keys(example.drawing)[0]!;
    const [piece] = editing.pieces(draft);
    const put = editing.put(draft, place, piece!.letter, 0);
    expect(editing.write(put)).not.toBe(example.text);
    if (draft.drawing[place]!.length < 2)
      expect(editing.write(editing.put(put, place, REMOVE, 0))).toBe(example.text);
  });
});

it("has no game without", () => expect(editingOf("chess")).toBeNull());

it("objectif: goals, bases and stocks", async () => {
  const [editing, draft] = await first("objectif");
  const seat = editing.turn(draft);
  expect(editing.write(editing.set(draft, "goal:1", "?")).split(" ")[3]![1]).toBe("?");
  const [colour] = draft.drawing["stock:1"]!.toLowerCase();
  const more = editing.put(draft, colour!, "O", 0);
  expect(more.drawing["stock:1"]!.length).toBe(draft.drawing["stock:1"]!.length + 1);
  expect(editing.put(more, colour!, REMOVE, 0)).toEqual(draft);
  expect(editing.put(draft, "1", "v", seat).drawing["1"]![0]).toBe("v");
  expect(editing.put(draft, "1", REMOVE, seat).drawing["1"]).toBe(draft.drawing["1"]!.slice(0, 1));
});

it("pyramidis: homes are counted", async () => {
  const [editing, draft] = await first("pyramidis");
  expect(editing.write(editing.set(draft, "home:t", "3"))).toContain(" t3c0 ");
});

it("quadrille: pawns stand on top, and come from beside the board", async () => {
  const [editing, draft] = await first("quadrille");
  const put = editing.put(draft, "c3", "W", 0);
  expect(editing.write(put).split(" ")[1]).toBe("c3");
  expect(put.drawing["pawns:w"]).toBe("W");
  const [low] = put.drawing.c3!;
  expect(editing.put(put, "c3", "r", 0).drawing.c3).toBe(`${low}rW`);
});

it("batisseurs: a die is used for each loose block", async () => {
  const [editing, draft] = await first("batisseurs");
  const placed = editing.put(draft, "1:a1", "o", 0);
  expect(editing.write(placed)).toMatch(/ 5 0$/);
  const thrown = editing.set(placed, "dice", "ca");
  expect(editing.write(thrown)).toContain(" ac 5 0");
  expect(editing.put(thrown, "face:c", "x", 0).drawing.dice).toBe("a");
});
