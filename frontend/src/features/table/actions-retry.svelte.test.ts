import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { device } from "$core/device/device.svelte.ts";
import { DROP, TABLE } from "$testing/table.ts";
import type { EventMessage } from "$core/http/types.ts";
import { Session } from "./session.svelte.ts";

const STORED: EventMessage = {
  number: 4,
  at: 0,
  event: { kind: "moved", seat: 0, move: "@a1" },
  effects: [DROP],
  now: { to_move: 1, view: "w" },
};

let session: Session;
let tell: (kind: string, id: number, data: unknown) => void;
let answer: () => Response; // to a move
let asked: (string | undefined)[]; // the keys of moves
let followed: (string | undefined)[]; // after which event streams were to go on

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
const proxys = () => new Response("<html>Bad gateway</html>", { status: 502 });
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

function fetched(path: string, { headers, signal }: RequestInit): Response {
  if (path.endsWith("/history"))
    return json({ start: TABLE.drawing, facts: {}, steps: [], said: [], notices: [] });
  if (path.endsWith("/refusals")) return json({ refusals: [] });
  if (path.endsWith("/move")) {
    asked.push((headers as Record<string, string>)["Idempotency-Key"]);
    return answer();
  }
  followed.push((headers as Record<string, string>)["Last-Event-ID"]);
  const body = new ReadableStream<Uint8Array>({
    start(to) {
      signal?.addEventListener("abort", () => to.error(signal.reason));
      tell = (kind, id, data) =>
        to.enqueue(new TextEncoder().encode(`event: ${kind}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`));
      if (followed.length === 1) tell("table", TABLE.number, TABLE);
    },
  });
  return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
}

beforeEach(async () => {
  vi.useFakeTimers();
  asked = [];
  followed = [];
  vi.stubGlobal("fetch", async (path: string, how: RequestInit) => fetched(path, how));
  device.hold("t", "tok", "quadrille");
  session = new Session("t");
  await pass(10);
  expect(session.actions.legal.map(({ move }) => move)).toEqual(["@a1"]);
});

afterEach(() => {
  session.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  localStorage.clear();
});

test("a move is sent again by the same key, and the page says so", async () => {
  answer = () => (asked.length < 3 ? proxys() : json({ number: 4 }));
  const moved = session.actions.move("@a1");
  await pass(100);
  expect(session.actions.isRetrying).toBe(true);
  await pass(2_000); // both waits, and less than after which the stream would be made anew
  await moved;
  expect(asked).toEqual(Array(3).fill(asked[0]));
  expect(session.actions.isRetrying).toBe(false);
  tell("event", 4, STORED);
  await pass(1_000);
  expect(session.feed.timeline.steps.map(({ move }) => move)).toEqual(["@a1"]);
  expect(session.live).toBe(true);
});

test("what has happened is not being sent any more, whatever becomes of the answer", async () => {
  answer = proxys;
  const moved = session.actions.move("@a1");
  await pass(100);
  tell("event", 4, STORED);
  await pass(1_000);
  expect([session.actions.sending, session.actions.isRetrying, session.live]).toEqual([null, false, true]);
  await pass(20_000);
  expect(asked.length).toBeGreaterThan(3);
  expect(session.actions.isRetrying).toBe(false);
  await pass(60_000);
  await moved; // nothing to complain of
  expect(session.playback.drawing).toEqual({ hand: "p", a1: "p" });
});

test("a move that never arrives is taken back on the page", async () => {
  answer = proxys;
  const moved = session.actions.move("@a1").catch(({ code }) => code);
  await pass(70_000);
  expect(await moved).toBe("no-answer");
  expect([session.actions.sending, session.actions.isRetrying, session.live]).toEqual([null, false, true]);
  expect(session.playback.drawing).toEqual(TABLE.drawing);
});

test("a stream that does not tell of a move that is stored is made anew", async () => {
  answer = () => json({ number: 4 });
  await session.actions.move("@a1");
  await pass(2_000);
  expect(followed).toEqual([undefined]);
  await pass(2_000);
  expect(followed).toEqual([undefined, "3"]);
  tell("event", 4, STORED);
  await pass(1_000);
  expect([session.actions.sending, session.feed.isConnected, session.live]).toEqual([null, true, true]);
});
