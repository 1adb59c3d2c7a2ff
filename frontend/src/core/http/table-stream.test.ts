import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Message } from "./read-events.ts";
import { TableStream, type TableStreamHandlers } from "./table-stream.ts";

type Answer = Response | "hung" | "refused" | ((signal: AbortSignal) => Response);

/** What a page does with a stream, and what the network answers it, one after the other. */
class Page {
  asked: { path: string; token?: string; last?: string; cache?: RequestCache; at: number }[] = [];
  messages: Message[] = [];
  states: boolean[] = [];
  gone: string[] = [];
  seatLost: string[] = [];
  preparing: string[] = [];
  bad = new Set<string>(); // data that makes no sense
  staysOpenHidden = false;
  private stream: TableStream | null = null;

  constructor(private readonly answers: Answer[]) {
    vi.stubGlobal("fetch", (path: string, { headers, signal, cache }: RequestInit) => {
      const { Authorization, "Last-Event-ID": last } = headers as Record<string, string>;
      this.asked.push({ path, token: Authorization?.slice(7), last, cache, at: Date.now() });
      const answer = this.answers.shift() ?? "hung";
      if (answer === "refused") return Promise.reject(new TypeError("Failed to fetch"));
      if (answer !== "hung") return Promise.resolve(answer instanceof Response ? answer : answer(signal!));
      return new Promise((_, failed) => signal?.addEventListener("abort", () => failed(signal.reason)));
    });
  }

  follow(token: string | null = "tok", more: Partial<TableStreamHandlers> = {}): this {
    this.stream = new TableStream("t", token, {
      onMessage: async (message) => {
        await Promise.resolve();
        if (this.bad.has(message.data)) throw new Error("what is that?");
        this.messages.push(message);
      },
      onConnectionChange: (connected) => this.states.push(connected),
      onGone: ({ code }) => this.gone.push(code),
      onSeatLost: ({ code }) => this.seatLost.push(code),
      onPreparing: ({ code }) => this.preparing.push(code),
      staysOpenHidden: () => this.staysOpenHidden,
      ...more,
    });
    return this;
  }

  stop(): void {
    this.stream?.stop();
  }
}

const STREAM = { headers: { "Content-Type": "text/event-stream" } };
const event = (id: number, data = "{}", kind = "event") => `event: ${kind}\nid: ${id}\ndata: ${data}\n\n`;
const stream = (...events: string[]) => new Response(events.join(""), STREAM);
const html = (status: number) =>
  new Response("<html>Bad gateway</html>", { status, headers: { "Content-Type": "text/html" } });
const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } });
const apiError = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, { error: { code, message: code, detail: {} } }, headers);

/** A stream that stays open until nobody wants it any more. */
function open(...events: string[]): Answer {
  return (signal) => {
    const body = new ReadableStream({
      start(to) {
        for (const each of events) to.enqueue(new TextEncoder().encode(each));
        signal.addEventListener("abort", () => to.error(signal.reason));
      },
    });
    return new Response(body, STREAM);
  };
}

function show(hidden: boolean): void {
  vi.spyOn(document, "hidden", "get").mockReturnValue(hidden);
  document.dispatchEvent(new Event("visibilitychange"));
}

let page: Page;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(1);
  vi.spyOn(document, "hidden", "get").mockReturnValue(false);
});

afterEach(() => {
  page.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const ids = () => page.messages.map((message) => message.id);

test("a stream goes on after what was taken in, and begins anew after what could not be", async () => {
  page = new Page([
    stream(event(3, "{}", "table"), event(4, "bad"), event(5)),
    stream(event(5, "{}", "table"), event(6)),
  ]);
  page.bad.add("bad");
  page.follow();
  await pass(5_000);
  expect(ids()).toEqual(["3", "5", "6"]);
  expect(page.asked.map((each) => each.last)).toEqual([undefined, undefined, "6"]);
});

test("what has no number does not change where a stream goes on", async () => {
  page = new Page([stream(event(3, "{}", "table"), ":\n\n", 'event: present\ndata: {"seats":[]}\n\n')]);
  page.follow();
  await pass(2_000);
  expect(page.messages.map(({ kind, id }) => [kind, id])).toEqual([
    ["table", "3"],
    ["present", null],
  ]);
  expect(page.asked[1]!.last).toBe("3");
});

test("of an event that was cut off in the middle nothing is heard, and it comes again", async () => {
  page = new Page([
    stream(event(3, "{}", "table"), 'event: event\nid: 4\ndata: {"half'),
    stream(event(4, '{"whole":1}')),
  ]);
  page.follow();
  await pass(2_000);
  expect(ids()).toEqual(["3", "4"]);
  expect(page.asked[1]!.last).toBe("3");
});

test("an event may come in pieces", async () => {
  const text = event(3, '{"name":"Zoé"}', "table");
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream({
    start(to) {
      for (const byte of bytes) to.enqueue(new Uint8Array([byte]));
      to.close();
    },
  });
  page = new Page([new Response(body, STREAM)]);
  page.follow();
  await pass(10);
  expect(page.messages).toEqual([{ kind: "table", id: "3", data: '{"name":"Zoé"}' }]);
});

// Firefox would let a second tab wait until the stream of the first is closed.
test("a stream bypasses the browser's cache, also when it is opened again", async () => {
  page = new Page([stream(event(3, "{}", "table")), open(event(4))]);
  page.follow();
  await pass(5_000);
  expect(page.asked.map(({ path, cache }) => [path, cache])).toEqual([
    ["/api/tables/t/events", "no-store"],
    ["/api/tables/t/events", "no-store"],
  ]);
});

const FAULTS: [string, () => Answer][] = [
  ["502 of a proxy", () => html(502)],
  ["500", () => apiError(500, "internal")],
  ["500 of nobody", () => new Response("", { status: 500 })],
  ["504 of a proxy", () => html(504)],
  ["404 of a proxy", () => html(404)],
  ["404 of another path", () => apiError(404, "no-such-path")],
  ["401 of a proxy", () => html(401)],
  ["403", () => html(403)],
  ["a page instead of a stream", () => html(200)],
  ["JSON instead of a stream", () => json(200, {})],
  ["no network", () => "refused"],
  ["a server that stops at once", () => stream()],
  ["store-failed", () => apiError(503, "store-failed")],
];

test.each(FAULTS)("%s is a lost connection", async (_, fault) => {
  page = new Page([fault(), fault(), fault(), open(event(3, "{}", "table"))]);
  page.follow();
  await pass(30_000);
  expect(page.gone).toEqual([]);
  expect(page.seatLost).toEqual([]);
  expect(page.states[0]).toBe(false);
  expect(page.states.at(-1)).toBe(true);
  expect(ids()).toEqual(["3"]);
  expect(page.asked.map((each) => each.token)).toEqual(["tok", "tok", "tok", "tok"]);
});

test.each(FAULTS)("%s after a connection was there goes on where it was", async (_, fault) => {
  page = new Page([stream(event(3, "{}", "table")), fault(), open(event(4))]);
  page.follow();
  await pass(30_000);
  expect(page.gone).toEqual([]);
  expect(ids()).toEqual(["3", "4"]);
  expect(page.asked.map((each) => each.last)).toEqual([undefined, "3", "3"]);
});

test("a server that accepts and says nothing is left after ten seconds", async () => {
  page = new Page(["hung", open(event(3, "{}", "table"))]);
  page.follow();
  await pass(9_900);
  expect(page.asked).toHaveLength(1);
  await pass(1_000);
  expect(page.asked).toHaveLength(2);
  expect(page.states).toEqual([false, true]);
});

test("a stream that has gone silent is left", async () => {
  page = new Page([open(event(3, "{}", "table")), open(event(4))]);
  page.follow();
  await pass(39_000);
  expect(page.asked).toHaveLength(1);
  await pass(2_000);
  expect(ids()).toEqual(["3", "4"]);
});

test("tries are further and further apart, and never further than eight seconds", async () => {
  page = new Page(Array.from({ length: 12 }, () => html(502)));
  page.follow();
  await pass(60_000);
  const gaps = page.asked.map(({ at }, n) => at - (page.asked[n - 1]?.at ?? at)).slice(1);
  expect(gaps.slice(0, 6)).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
});

test("what cannot be taken in is not asked for all the time", async () => {
  page = new Page(Array.from({ length: 50 }, () => stream(event(3, "bad", "table"))));
  page.bad.add("bad");
  page.follow();
  await pass(30_000);
  expect(page.asked.length).toBeLessThan(9);
});

test("only the server says that there is no such table", async () => {
  page = new Page([apiError(404, "no-such-table"), open()]);
  page.follow();
  await pass(60_000);
  expect(page.gone).toEqual(["no-such-table"]);
  expect(page.asked).toHaveLength(1);
});

test("who has no seat any more goes on as a spectator", async () => {
  page = new Page([
    stream(event(3, "{}", "table")),
    apiError(401, "no-token"),
    open(event(4, "{}", "table")),
  ]);
  page.follow();
  await pass(5_000);
  expect(page.seatLost).toEqual(["no-token"]);
  expect(page.gone).toEqual([]);
  expect(page.asked.map(({ token, last }) => [token, last])).toEqual([
    ["tok", undefined],
    ["tok", "3"],
    [undefined, undefined],
  ]);
  expect(ids()).toEqual(["3", "4"]);
});

test("a game that is being prepared is waited for", async () => {
  page = new Page([
    apiError(503, "warming-up", { "Retry-After": "3" }),
    apiError(503, "warming-up"),
    open(event(3, "{}", "table")),
  ]);
  page.follow();
  await pass(2_900);
  expect(page.asked).toHaveLength(1);
  await pass(200);
  expect(page.asked).toHaveLength(2);
  await pass(1_100);
  expect(page.preparing).toEqual(["warming-up", "warming-up"]);
  expect(page.states).toEqual([true]);
});

test("who has stopped hears nothing more", async () => {
  page = new Page([stream(event(3, "{}", "table")), html(502)]);
  page.follow();
  await pass(0);
  page.stop();
  const { length } = page.states;
  await pass(60_000);
  expect(page.states).toHaveLength(length);
  expect(page.asked).toHaveLength(1);
});

// ---- Hidden pages

/** The locks of a browser, which all its pages share. */
class Locks {
  held = new Set<string>();
  request = (name: string, _: unknown, use: (lock: object | null) => unknown) => {
    if (this.held.has(name)) return Promise.resolve(use(null));
    this.held.add(name);
    return Promise.resolve(use({ name })).finally(() => this.held.delete(name));
  };
}

function lock(...taken: number[]): Locks {
  const locks = new Locks();
  for (const number of taken) locks.held.add(`benben-stream-${number}`);
  vi.stubGlobal("navigator", { locks });
  return locks;
}

const slots = (locks: Locks) => [...locks.held].map((name) => Number(name.slice(-1))).sort();

test("a hidden page closes its stream, goes on when it is seen again, and no trouble is told", async () => {
  const locks = lock();
  page = new Page([open(event(3, "{}", "table")), open(event(4))]);
  page.follow();
  await pass(100);
  expect(slots(locks)).toEqual([2]);
  show(true);
  await pass(60_000);
  expect(slots(locks)).toEqual([]);
  expect(page.asked).toHaveLength(1);
  show(false);
  await pass(100);
  expect(page.asked[1]!.last).toBe("3");
  expect(page.states).not.toContain(false);
});

test("who comes back and cannot connect is told soon, not at once", async () => {
  lock();
  page = new Page([open(event(3, "{}", "table"))]);
  page.follow();
  await pass(100);
  show(true);
  await pass(100);
  show(false);
  await pass(1_000);
  expect(page.states).toEqual([true]);
  await pass(1_000);
  expect(page.states).toEqual([true, false]);
});

test("a hidden page with a seat keeps its stream", async () => {
  const locks = lock();
  page = new Page([open(event(3, "{}", "table"))]);
  page.staysOpenHidden = true;
  page.follow();
  await pass(100);
  show(true);
  await pass(1_000);
  expect(slots(locks)).toEqual([2]);
  expect(page.asked).toHaveLength(1);
  expect(page.states).toEqual([true]);
});

test("a page that is hidden changes to a slot for hidden ones, without a new connection", async () => {
  const locks = lock(2, 3);
  page = new Page([open(event(3, "{}", "table"))]);
  page.staysOpenHidden = true;
  page.follow();
  await pass(100);
  expect(slots(locks)).toEqual([0, 2, 3]);
  locks.held.delete("benben-stream-3");
  show(true);
  await pass(1_000);
  expect(slots(locks)).toEqual([2, 3]);
  expect(page.asked).toHaveLength(1);
});

test("a hidden page with a seat and no slot looks now and then", async () => {
  const locks = lock(2, 3);
  page = new Page([open(event(3, "{}", "table")), json(200, { n: 1 }), json(200, { n: 2 }), html(502)]);
  page.staysOpenHidden = true;
  page.follow();
  await pass(100);
  show(true);
  await pass(16_000);
  expect(slots(locks)).toEqual([2, 3]); // those that are seen have theirs
  expect(page.asked.slice(1).map(({ path }) => path)).toEqual(["/api/tables/t", "/api/tables/t"]);
  expect(page.messages.slice(1).map(({ kind, data }) => [kind, data])).toEqual([
    ["table", '{"n":1}'],
    ["table", '{"n":2}'],
  ]);
  expect(page.states).not.toContain(false);
});

test("without locks hidden pages look, and those that are seen have streams", async () => {
  vi.stubGlobal("navigator", {});
  page = new Page([open(event(3, "{}", "table")), json(200, {})]);
  page.staysOpenHidden = true;
  page.follow();
  await pass(100);
  show(true);
  await pass(1_000);
  expect(page.asked.map(({ path }) => path)).toEqual(["/api/tables/t/events", "/api/tables/t"]);
});

test("where every slot is taken a page that is seen looks, and tells what looking tells", async () => {
  lock(0, 1, 2, 3);
  page = new Page([json(200, {}), html(502), html(200), apiError(401, "no-token"), json(200, {})]);
  page.follow();
  await pass(30_000);
  expect(page.messages).toHaveLength(2);
  expect(page.states).toEqual([true, false, false, true]);
  expect(page.seatLost).toEqual(["no-token"]);
  expect(page.asked.slice(0, 5).map(({ token }) => token)).toEqual(["tok", "tok", "tok", "tok", undefined]);
});

test("when the game is over a hidden page closes its stream", async () => {
  const locks = lock();
  let say: (text: string) => void = () => {};
  const body = new ReadableStream({
    start: (to) => void (say = (text) => to.enqueue(new TextEncoder().encode(text))),
  });
  page = new Page([new Response(body, STREAM)]);
  page.staysOpenHidden = true;
  page.follow();
  say(event(3, "{}", "table"));
  await pass(100);
  show(true);
  page.staysOpenHidden = false;
  say(event(4));
  await pass(100);
  expect(ids()).toEqual(["3", "4"]);
  expect(slots(locks)).toEqual([]);
});
