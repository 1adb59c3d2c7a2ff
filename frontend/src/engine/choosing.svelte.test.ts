import { flushSync } from "svelte";
import { expect, test } from "vitest";
import { Choosing, type Ways } from "./choosing.svelte.ts";
import { NO_OFFER, NO_OVERLAY, type BoardProps, type Offer, type Overlay, type Scene } from "./contract.ts";

/** A colour and a place: "o@3". */
const PAIRS: Ways = {
  things: (move) => move.split("@"),
  meant: (chosen, thing) => [...chosen, thing].join("@"),
};

/** A square, and how many from there: "d1*3"; the most if nothing is said. */
const COLUMNS: Ways = {
  things: (move) => [move.split("*")[0]!],
  prefer: (left) => left.at(-1)!,
  confirms: (_, thing) => thing === "e1",
  meant: (_, thing) => thing,
};

function sitting(
  legal: string,
  ways: Ways = PAIRS,
  offer: Partial<Offer> = {},
  overlay: Partial<Overlay> = {},
) {
  const played: string[] = [];
  const asked: string[] = [];
  let given = $state.raw<BoardProps>({
    scene: { moment: "0" } as Scene,
    offer: {
      ...NO_OFFER,
      state: "open",
      moves: legal ? legal.split(" ").map((move) => ({ move, effects: [] })) : [],
      play: (move) => played.push(move),
      explain: (move) => asked.push(move),
      ...offer,
    },
    overlay: { ...NO_OVERLAY, ...overlay },
  });
  let choosing!: Choosing;
  $effect.root(() => {
    choosing = new Choosing(() => given, ways);
  });
  flushSync();
  const later = (moment: string) => {
    given = { ...given, scene: { moment } as Scene };
    flushSync();
  };
  return { choosing, played, asked, later };
}

test("a click on what is pointed at plays, in any order of things", () => {
  const { choosing, played } = sitting("o@1 o@2 g@1");
  choosing.tap("o", true);
  choosing.tap("2", true);
  choosing.letGo();
  choosing.tap("1", true);
  choosing.tap("g", true);
  expect(played).toEqual(["o@2", "g@1"]);
});

test("a finger sees what would happen, and plays by a second tap", () => {
  const { choosing, played } = sitting("o@1 o@2 g@1");
  choosing.tap("o");
  expect(choosing.preview).toBeNull();
  choosing.tap("2");
  expect([choosing.preview?.move, choosing.ready, played]).toEqual(["o@2", true, []]);
  choosing.tap("1"); // another place, with the colour that was chosen
  expect([choosing.chosen, choosing.preview?.move]).toEqual([["o", "1"], "o@1"]);
  choosing.tap("1");
  expect(played).toEqual(["o@1"]);
});

test("whoever wants to be asked confirms clicks too", () => {
  const { choosing, played } = sitting("o@1 o@2", PAIRS, { confirmEveryMove: true });
  choosing.tap("o", true);
  choosing.tap("2", true);
  expect(played).toEqual([]);
  choosing.tap("2", true);
  expect(played).toEqual(["o@2"]);
});

test("what is tapped again before a move is chosen is let go", () => {
  const { choosing } = sitting("o@1 o@2 g@1");
  choosing.tap("o", true);
  choosing.tap("o", true);
  expect(choosing.chosen).toEqual([]);
});

test("of several moves the preferred one is shown, another can be picked, and both be confirmed", () => {
  const { choosing, played } = sitting("d1*1 d1*2 d1*3 d2*1", COLUMNS);
  choosing.over = "d1";
  expect(choosing.preview?.move).toBe("d1*3");
  choosing.tap("d1", true);
  expect([played, choosing.left.length]).toEqual([[], 3]); // there is a choice to make
  choosing.pick("d1*2");
  expect(choosing.preview?.move).toBe("d1*2");
  choosing.tap("d1", true);
  choosing.letGo();
  choosing.tap("d1");
  choosing.tap("e1");
  choosing.tap("d2", true); // the only one there: no choice
  expect(played).toEqual(["d1*2", "d1*3", "d2*1"]);
});

test("what cannot be is asked about, and plays nothing", () => {
  const { choosing, played, asked } = sitting("o@1 g@2");
  choosing.tap("v", true);
  choosing.tap("o", true);
  choosing.tap("9", true);
  expect([played, asked, choosing.chosen]).toEqual([[], ["v", "o@9"], ["o"]]);
  expect([choosing.can("1"), choosing.can("2")]).toEqual([true, false]);
});

test("what was chosen first stays when something else does not fit, and another of its kind begins anew", () => {
  const { choosing, asked } = sitting("o@1 o@2 g@3");
  choosing.tap("o");
  choosing.over = "3";
  expect(choosing.preview).toBeNull();
  choosing.tap("3");
  expect([asked, choosing.chosen]).toEqual([["o@3"], ["o"]]);
  choosing.tap("2");
  choosing.tap("3");
  expect([asked.length, choosing.chosen]).toEqual([2, ["o", "2"]]);
  choosing.tap("g"); // not with place 2
  expect(choosing.chosen).toEqual(["g"]);
});

test("what means a move by itself begins anew, whatever was chosen", () => {
  const places: Ways = {
    things: (move) => [`at ${move}`, `row ${move[0]}`],
    meant: (_, thing) => thing.slice(3),
  };
  const { choosing, asked } = sitting("a1 a2 b1", places);
  choosing.tap("row a");
  choosing.tap("at b1");
  expect([asked, choosing.chosen]).toEqual([[], ["at b1"]]);
});

test("what means no move is looked at", () => {
  const { choosing, asked } = sitting("o@1", { ...PAIRS, meant: () => null });
  choosing.tap("9");
  expect([choosing.over, asked]).toEqual(["9", []]);
});

test("while a move is on its way, taps and buttons do nothing; when it is not our turn taps are refused", () => {
  const sending = sitting("o@1", PAIRS, { state: "sending" });
  sending.choosing.tap("o", true);
  sending.choosing.play("o@1");
  sending.choosing.play("o@2");
  expect([sending.played, sending.asked]).toEqual([[], []]);
  const closed = sitting("", PAIRS, { state: "closed" });
  closed.choosing.tap("o", true);
  expect([closed.asked, closed.choosing.chosen]).toEqual([["o"], []]);
});

test("another moment lets go of what was chosen", () => {
  const { choosing, later } = sitting("o@1 o@2");
  choosing.tap("o");
  later("0");
  expect(choosing.chosen).toEqual(["o"]);
  later("1");
  expect(choosing.chosen).toEqual([]);
});

test("a hint is shown until something is chosen; only what may be touched can be", () => {
  const { choosing } = sitting("o@1 o@2", PAIRS, {}, { hint: "o@2", touchable: new Set(["o", "2"]) });
  expect(choosing.preview?.move).toBe("o@2");
  choosing.tap("1", true);
  expect(choosing.chosen).toEqual([]);
  choosing.tap("o", true);
  expect(choosing.preview).toBeNull();
});
