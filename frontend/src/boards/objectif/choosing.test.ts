import { describe, expect, it, vi } from "vitest";
import type { MoveView, Table } from "../../lib/types.ts";
import { asColour, asPlace, Choosing } from "./choosing.svelte.ts";

const MOVES: MoveView[] = [
  { move: "b@1", effects: [["cover", "stock:1", "1", "B", 0]] },
  { move: "b@2", effects: [["cover", "stock:1", "2", "B", 0]] },
  { move: "g@1", effects: [["cover", "stock:1", "1", "G", 0]] },
];
const click = { detail: 1 } as MouseEvent;

function begin(legal = MOVES, pointer = "mouse") {
  const play = vi.fn();
  const why = vi.fn();
  const table = { legal: MOVES } as Table;
  const choosing = new Choosing(() => ({ table, legal, live: true, play, why }));
  choosing.press({ pointerType: pointer } as PointerEvent);
  return { choosing, play, why };
}

describe("choosing a move", () => {
  it("takes a colour, then a place", () => {
    const { choosing, play } = begin();
    choosing.tap(asColour("b"), click);
    choosing.tap(asPlace("2"), click);
    expect(play).toHaveBeenCalledWith("b@2");
  });

  it("takes a place, then a colour", () => {
    const { choosing, play } = begin();
    choosing.tap(asPlace("1"), click);
    choosing.tap(asColour("g"), click);
    expect(play).toHaveBeenCalledWith("g@1");
  });

  it("shows a finger what would happen before it plays", () => {
    const { choosing, play } = begin(MOVES, "touch");
    choosing.tap(asColour("b"), click);
    choosing.tap(asPlace("2"), click);
    expect(play).not.toHaveBeenCalled();
    expect(choosing.effects).toEqual(MOVES[1]!.effects);
    choosing.tap(asPlace("2"), click);
    expect(play).toHaveBeenCalledWith("b@2");
  });

  it("asks why about what is not legal", () => {
    const { choosing, play, why } = begin();
    choosing.tap(asColour("g"), click);
    choosing.tap(asPlace("2"), click);
    choosing.letGo();
    choosing.tap(asColour("o"), click);
    expect(why.mock.calls).toEqual([["g@2"], ["o@1"]]);
    expect(play).not.toHaveBeenCalled();
  });

  it("never sends a legal move as a question while the page is not ready", () => {
    const { choosing, play, why } = begin([]);
    choosing.tap(asColour("b"), click);
    expect(play).not.toHaveBeenCalled();
    expect(why).not.toHaveBeenCalled();
  });

  it("lets go of what is tapped again", () => {
    const { choosing } = begin();
    choosing.tap(asColour("b"), click);
    choosing.tap(asColour("b"), click);
    expect(choosing.held).toBeNull();
  });
});
