import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Opinion } from "$core/http/types.ts";
import { Opinions } from "./opinion.svelte.ts";
import OpinionPanel from "./OpinionPanel.svelte";

const POSITION = { game: "quadrille", players: 2, options: {}, position: "p", moves: [] };
const play = vi.fn();
let opinions: Opinions;
let panel: ReturnType<typeof mount>;
let streams: ReadableStreamDefaultController[]; // one for each position

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal("navigator", {}); // without locks, streams are not counted
  streams = [];
  vi.stubGlobal("fetch", () => {
    const body = new ReadableStream({ start: (stream) => void streams.push(stream) });
    return Promise.resolve(new Response(body, { headers: { "Content-Type": "text/event-stream" } }));
  });
  opinions = new Opinions();
  const props = {
    game: "quadrille",
    names: [],
    opinions,
    legal: [],
    play,
    point: () => {},
    addLine: () => {},
  };
  panel = mount(OpinionPanel, { target: document.body, props });
  await ask([]);
});

afterEach(async () => {
  opinions.stop();
  await unmount(panel);
  play.mockReset();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function ask(moves: string[]): Promise<void> {
  opinions.ask({ ...POSITION, moves });
  await vi.advanceTimersByTimeAsync(1_000);
}

/** Moves with their shares of the win, as the bots think now. */
async function think(shares: Record<string, number>): Promise<void> {
  const moves = Object.entries(shares).map(([move, share]) => ({
    move,
    share,
    error: 0.1,
    certainty: "estimated",
  }));
  const opinion = { seat: 0, moves, line: [], done: false } as unknown as Opinion;
  streams.at(-1)!.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(opinion)}\n\n`));
  await vi.advanceTimersByTimeAsync(0);
  flushSync();
}

const list = () => document.querySelector(".moves")!;
const buttons = () => [...list().querySelectorAll("button")];
const listed = () => buttons().map((each) => each.querySelector("code")!.textContent);
const shares = () => buttons().map((each) => each.querySelector("strong")!.textContent);

function point(kind: string, pointerType = "mouse"): void {
  const bubbles = kind !== "pointerleave";
  list().dispatchEvent(new PointerEvent(kind, { pointerType, bubbles }));
  flushSync();
}

test("the best move comes first", async () => {
  await think({ a1: 0.5, b1: 0.6 });
  expect(listed()).toEqual(["b1", "a1"]);
  await think({ a1: 0.7, b1: 0.6 });
  expect(listed()).toEqual(["a1", "b1"]);
});

test.each(["pointermove", "pointerdown"])(
  "after %s the order is held until the mouse leaves",
  async (kind) => {
    await think({ a1: 0.5, b1: 0.4 });
    point(kind);
    await think({ a1: 0.5, b1: 0.6, c1: 0.9 });
    expect(listed()).toEqual(["a1", "b1", "c1"]);
    expect(shares()).toEqual(["50%", "60%", "90%"]); // these are up to date
    point("pointerleave");
    expect(listed()).toEqual(["c1", "b1", "a1"]);
  },
);

test("a click while the bots think plays the move it was aimed at", async () => {
  await think({ a1: 0.5, b1: 0.4 });
  const [first] = buttons();
  point("pointerdown");
  await think({ a1: 0.5, b1: 0.6 });
  expect(buttons()[0]).toBe(first);
  first!.click();
  expect(play).toHaveBeenCalledExactlyOnceWith("a1");
});

test("the order is held for the click that follows a touch", async () => {
  await think({ a1: 0.5, b1: 0.4 });
  point("pointerdown", "touch");
  await think({ a1: 0.5, b1: 0.6 });
  point("pointerleave", "touch");
  expect(listed()).toEqual(["a1", "b1"]);
  await vi.advanceTimersByTimeAsync(1_000);
  flushSync();
  expect(listed()).toEqual(["b1", "a1"]);
});

test("the order is held while the focus is in the list", async () => {
  await think({ a1: 0.5, b1: 0.4 });
  buttons()[1]!.focus();
  await think({ a1: 0.5, b1: 0.6 });
  expect(listed()).toEqual(["a1", "b1"]);
  buttons()[0]!.focus(); // within the list
  await vi.advanceTimersByTimeAsync(100);
  await think({ a1: 0.5, b1: 0.7 });
  expect(listed()).toEqual(["a1", "b1"]);
  (document.activeElement as HTMLElement).blur();
  await vi.advanceTimersByTimeAsync(100);
  flushSync();
  expect(listed()).toEqual(["b1", "a1"]);
});

test("the order of one position is not held in the next", async () => {
  await think({ a1: 0.5, b1: 0.4 });
  point("pointermove");
  await ask(["a1"]);
  await think({ a1: 0.4, b1: 0.5 });
  expect(listed()).toEqual(["b1", "a1"]);
  await think({ a1: 0.6, b1: 0.5 });
  expect(listed()).toEqual(["a1", "b1"]);
});

test("nothing is asked of a position that is left before a stream is free", async () => {
  let free = () => {};
  const freed = new Promise<void>((done) => (free = done));
  const request = (_: string, __: unknown, got: (lock: unknown) => unknown) => freed.then(() => got({}));
  vi.stubGlobal("navigator", { locks: { request } });
  await ask(["a1"]);
  opinions.ask(null);
  free();
  await vi.advanceTimersByTimeAsync(0);
  expect(streams).toHaveLength(1); // that of the position before
});
