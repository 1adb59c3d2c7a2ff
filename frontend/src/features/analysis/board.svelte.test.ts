import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "$core/http/api.ts";
import type { PositionShown } from "$core/http/types.ts";
import { AnalysisBoard } from "./board.svelte.ts";

/** A position from which "x" can be played again and again. */
function shownAfter(moves: readonly string[]): PositionShown {
  const drawing = { a: "p" };
  const steps = moves.map((move) => ({ move, effects: [], seat: 0 }));
  return {
    options: { players: 2 },
    view: "v",
    start: { drawing, facts: {} },
    steps,
    legal: [{ move: "x", effects: [] }],
    to_move: 0,
  } as unknown as PositionShown;
}

interface Asked {
  moves: readonly string[];
  answer: () => Promise<void>;
  refuse: () => Promise<void>;
}

let asked: Asked[];
let online: boolean;
let board: AnalysisBoard;
const settle = () => new Promise<void>((done) => setTimeout(done));

beforeEach(async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: true })); // no motion
  [asked, online] = [[], true];
  vi.stubGlobal("fetch", (_: string, { body }: RequestInit) => {
    const { moves = [] } = JSON.parse(body as string) as { moves?: string[] };
    if (!online) return Promise.reject(new TypeError("no network"));
    return new Promise<Response>((done) => {
      const reply = (status: number, data: unknown) => async () => {
        done(new Response(JSON.stringify(data), { status }));
        await settle();
      };
      const refused = { error: { code: "busy", message: "", detail: {} } };
      asked.push({ moves, answer: reply(200, shownAfter(moves)), refuse: reply(400, refused) });
    });
  });
  board = new AnalysisBoard("quadrille");
  const opened = board.open({ players: 2 }, "v", [], []);
  await settle();
  await asked[0]!.answer();
  await opened; // the start is known by now
});

afterEach(() => {
  board.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const lineOfThree = () => board.addLine(["x", "x", "x"]);

test("while the second of two positions is awaited, nothing can be played", async () => {
  lineOfThree();
  void board.forward();
  void board.forward();
  await settle();
  const [, first, second] = asked;
  await first!.answer();
  expect(board.study!.offer.state).toBe("sending");
  await board.play("x"); // from a list of moves, for the position that was there
  expect(board.tree).toHaveLength(1);
  expect(asked).toHaveLength(3);
  await second!.answer();
  await vi.waitFor(() => expect(board.study!.offer.state).toBe("open"));
  expect([board.moves, board.study!.played]).toEqual([
    ["x", "x"],
    ["x", "x"],
  ]);
});

test("if the second fails, the path is that of the position on the board", async () => {
  lineOfThree();
  void board.forward();
  void board.forward();
  await settle();
  const [, first, second] = asked;
  await first!.answer();
  await second!.refuse();
  expect(board.trouble?.code).toBe("busy");
  expect([board.moves, board.study!.played]).toEqual([[], []]);
  expect(board.study!.offer.state).toBe("open");
});

/** Open the end of a line of three; of the positions on the way, only the start is cached. */
async function openEnd(): Promise<void> {
  lineOfThree();
  void board.toEnd();
  await settle();
  await asked.at(-1)!.answer();
}

test("a move that cannot be deleted without network stays, and the page still works", async () => {
  await openEnd();
  const shown: (readonly string[])[] = [];
  const stop = $effect.root(() => {
    $effect(() => void shown.push(board.moves)); // as the page reads it
  });
  vi.useFakeTimers();
  online = false;
  const done = board.remove();
  await vi.advanceTimersByTimeAsync(30_000);
  await done;
  expect(board.trouble?.code).toBe("no-answer");
  expect([board.moves, board.study!.played]).toEqual([
    ["x", "x", "x"],
    ["x", "x", "x"],
  ]);
  expect(board.hasNext).toBe(false);
  expect(shown.at(-1)).toEqual(["x", "x", "x"]);
  stop();
});

test("a deleted move is gone once the position before it is shown", async () => {
  await openEnd();
  const done = board.remove();
  await settle();
  await asked.at(-1)!.answer();
  await done;
  expect([board.moves, board.hasNext]).toEqual([["x", "x"], false]);
});

test("deleting twice in a row deletes both moves", async () => {
  await openEnd();
  const done = [board.remove(), board.remove()];
  await settle();
  for (const { answer } of asked.slice(-2)) await answer();
  await Promise.all(done);
  expect([board.moves, board.hasNext]).toEqual([["x"], false]);
});

test("without network an action leaves the board as it is, and tells why", async () => {
  vi.useFakeTimers();
  const { study } = board;
  online = false;
  const done = board.attempt(() => board.open({ players: 2 }, "w", [], []));
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await done).toBe(false);
  expect(board.trouble).toBeInstanceOf(ApiError);
  expect(board.trouble!.code).toBe("no-answer");
  expect(board.study).toBe(study);
});
