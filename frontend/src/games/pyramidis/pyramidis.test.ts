import { describe, expect, it } from "vitest";
import type { Effect, Choice } from "$core/http/types.ts";
import { runsOf } from "./columns.ts";
import {
  arrivalOf,
  arrowsOf,
  frameOf,
  handOver,
  middleOf,
  sideOf,
  spotOf,
  squaresOf,
  startOf,
  turnsOf,
} from "./cross.ts";
import { coloursOf, neededOf } from "./facts.ts";
import { backOn, broughtHome, columnsAlong, numbersOf, takenBy, visitsOf, waysOf } from "./moves.ts";

describe("the cross", () => {
  it("has 28 squares for four and 16 for two", () => {
    expect(squaresOf([..."btmc"], 0)).toHaveLength(28);
    expect(squaresOf([..."tc"], 1)).toHaveLength(16);
  });

  it("turns everybody's own side to the bottom", () => {
    for (const colour of "btmc") {
      expect(spotOf(startOf(colour), turnsOf(colour, false)).y).toBe(7);
      expect(sideOf(colour, colour)).toBe(0);
    }
    expect(spotOf("a5", turnsOf("t", false))).toEqual({ x: 3, y: 7 });
    expect(sideOf("t", "b")).toBe(1);
    expect(sideOf("b", "t")).toBe(3);
  });

  it("turns it to the left where the strip of two lies", () => {
    for (const colour of "btmc")
      for (const square of [startOf(colour), arrivalOf(colour)])
        expect(spotOf(square, turnsOf(colour, true)).x).toBe(0);
  });

  it("has fifteen arrows a colour, none upon another", () => {
    const arrows = arrowsOf([..."btmc"], 0);
    expect(arrows).toHaveLength(60);
    expect(new Set(arrows.map(({ at }) => `${at.x.toFixed(2)},${at.y.toFixed(2)}`)).size).toBe(60);
  });

  it("lies in a picture whose squares are 100 wide", () => {
    expect(middleOf("d1", 0)).toEqual({ x: 350, y: 750 });
  });

  it("is framed so that every square is seen whole, and a hand over it", () => {
    for (const [colours, lying] of [
      ["btmc", false],
      ["bm", false],
      ["bm", true],
      ["tc", false],
      ["tc", true],
    ] as const) {
      const turns = turnsOf(colours[0]!, colours.length === 2 && lying);
      const frame = frameOf(colours.length, lying);
      const seen = ({ x, y }: { x: number; y: number }, half: number) =>
        x - half >= frame.x &&
        x + half <= frame.x + frame.width &&
        y - half >= frame.y &&
        y + half <= frame.y + frame.height;
      for (const square of squaresOf([...colours], turns)) {
        const middle = middleOf(square, turns);
        expect(seen(middle, 50)).toBe(true);
        expect(seen(handOver(middle, frame), 32)).toBe(true);
      }
    }
  });
});

describe("a column", () => {
  it("is told colour by colour", () => {
    expect(runsOf("")).toEqual([]);
    expect(runsOf("bbbbbbbb")).toEqual([{ letter: "b", n: 8 }]);
    expect(runsOf("bbmb")).toEqual([
      { letter: "b", n: 2 },
      { letter: "m", n: 1 },
      { letter: "b", n: 1 },
    ]);
  });
});

describe("facts", () => {
  it("tell each seat's colour and what wins", () => {
    const facts = { colours: ["t", "c"], needed: 4 };
    expect(coloursOf(facts)).toEqual(["t", "c"]);
    expect(neededOf(facts)).toBe(4);
  });

  it("may be missing", () => {
    expect(coloursOf({})).toEqual([..."btmc"]);
    expect(coloursOf({ colours: [] })).toEqual([..."btmc"]);
    expect(neededOf({})).toBe(0);
  });
});

describe("moves", () => {
  const lift: Effect = ["lift", "e3", "hand", "b", 0];

  it("are chosen by their column, of which the most is preferred; the end of the way confirms", () => {
    const sow = (move: string, ...targets: string[]): Choice => ({
      move,
      effects: [
        ...targets.map((): Effect => lift),
        ...targets.map((target): Effect => ["drop", "hand", target, "b", 0]),
      ],
    });
    const moves = [sow("d1*1", "d2"), sow("d1*2", "d2", "d3"), sow("d3", "d4", "d5", "d6")];
    const ways = waysOf(() => moves);
    expect(moves.map(({ move }) => ways.things(move))).toEqual([["d1"], ["d1"], ["d3"]]);
    expect(ways.things("pass")).toEqual(["pass"]);
    expect(ways.prefer!(moves.slice(0, 2), ["d1"])?.move).toBe("d1*2");
    expect(ways.confirms!(moves[0]!, "d2")).toBe(true);
    expect(ways.confirms!(moves[1]!, "d3")).toBe(false); // it is a column that could be chosen itself
    expect(ways.confirms!(moves[2]!, "d4")).toBe(false); // it is on the way
    expect(ways.meant(["d1"], "e4")).toBe("e4");
  });

  it("number the pyramids along the way, with jumps and homecomings", () => {
    const effects: Effect[] = [
      lift,
      lift,
      lift,
      lift,
      ["drop", "hand", "e2", "t", 1],
      ["jump", null, "e8", null, 0],
      ["arrive", null, "e1", null, 0],
      ["leave", "hand", "e1", "m", 2],
      ["home", "hand", "home:b", "b", 0],
    ];
    expect(takenBy(effects)).toBe(4);
    expect(broughtHome(effects)).toBe(1);
    expect(visitsOf(effects)).toEqual([
      { square: "e2", first: 1, last: 1 },
      { square: "e8", first: 0, last: 0 },
      { square: "e1", first: 2, last: 3 },
    ]);
    expect(visitsOf(effects).map(numbersOf)).toEqual(["1", "", "2–3"]);
  });

  it("offer their columns along the way, strays last", () => {
    const taking = (move: string): Choice => ({ move, effects: [lift] });
    const legal = ["a4", "d1*1", "d1*2", "d8", "e3"].map(taking);
    expect(columnsAlong(["d1", "d2", "d8", "e3"], legal)).toEqual(["d1", "d8", "e3", "a4"]);
    expect(columnsAlong(["d1"], [{ move: "pass", effects: [["pass", null, null, null, 0]] }])).toEqual([]);
  });

  it("bring a gift home on its own arrival square", () => {
    expect(visitsOf([["home", "hand", "home:m", "m", 2]])[0]?.square).toBe("e8");
  });

  it("know where a stray comes back", () => {
    expect(backOn([["stray", "d8", "d5", null, 1], lift])).toBe("d5");
    expect(backOn([lift])).toBeNull();
  });
});
