import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { BoardExports, Offer, Scene } from "./contract.ts";
import TextBoard from "./TextBoard.svelte";

let sure = $state(false);
let moment = $state("1");
let played: string[];
let board: Required<BoardExports>;

const scene = {
  game: "quadrille",
  drawing: {},
  facts: {},
  steps: [],
  get moment() {
    return moment;
  },
} as unknown as Scene;
const offer = {
  moves: ["a1", "b2"].map((move) => ({ move, effects: [] })),
  get confirmEveryMove() {
    return sure;
  },
  play: (move: string) => played.push(move),
} as unknown as Offer;

const button = (name: string) =>
  [...document.querySelectorAll("button")].find(({ textContent }) => textContent?.includes(name))!;

function press(name: string): void {
  button(name).click();
  flushSync();
}

beforeEach(() => {
  [sure, moment, played] = [false, "1", []];
  board = mount(TextBoard, { target: document.body, props: { scene, offer } });
  flushSync();
});
afterEach(() => unmount(board));

test("a press plays a move", () => {
  press("a1");
  expect(played).toEqual(["a1"]);
});

test("where every move is confirmed, only the second press on the same move plays it", () => {
  sure = true;
  press("a1");
  press("b2");
  expect(played).toEqual([]);
  expect(button("b2").getAttribute("aria-pressed")).toBe("true");
  expect(button("a1").getAttribute("aria-pressed")).toBe("false");
  expect(board.prompt()).toBe("Press it again to play this move.");
  press("b2");
  expect(played).toEqual(["b2"]);
});

test("what was chosen at another moment is not confirmed at this one", () => {
  sure = true;
  press("a1");
  moment = "2";
  flushSync();
  expect(board.prompt()).toBe("");
  press("a1");
  expect(played).toEqual([]);
});
