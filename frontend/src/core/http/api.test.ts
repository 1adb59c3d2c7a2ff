import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { postAction, request, getHistory, getMyTables, requestOnce, getTable, ApiError } from "./api.ts";

type Answer = Response | "hung" | "refused" | "half";

const json = (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });
const apiError = (status: number, code: string, headers: Record<string, string> = {}) =>
  json({ error: { code, message: code, detail: {} } }, status, headers);
const html = (status: number) => new Response("<html>Bad gateway</html>", { status });

let asked: { path: string; key?: string; tokens?: string; at: number }[];

/** What the network answers, one after the other; then nothing. */
function answering(...answers: (() => Answer)[]): void {
  asked = [];
  vi.stubGlobal("fetch", (path: string, { headers, signal }: RequestInit) => {
    const { "Idempotency-Key": key, "Benben-Tokens": tokens } = headers as Record<string, string>;
    asked.push({ path, key, tokens, at: Date.now() });
    const answer = answers.shift()?.() ?? "hung";
    if (answer === "refused") return Promise.reject(new TypeError("Failed to fetch"));
    const aborted = new Promise<never>((_, failed) => {
      signal!.addEventListener("abort", () => failed(signal!.reason));
    });
    aborted.catch(() => {});
    if (answer === "hung") return aborted;
    if (answer !== "half") return Promise.resolve(answer);
    return Promise.resolve(Object.assign(json({}), { text: () => aborted }));
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  // The clock of the platform's own time-outs cannot be turned by a test.
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const abort = new AbortController();
    setTimeout(() => abort.abort(new DOMException("", "TimeoutError")), ms);
    return abort.signal;
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** The outcome, however long it takes. */
async function outcome<T>(asking: Promise<T>): Promise<T | ApiError> {
  const settled = asking.catch((error: unknown) => {
    if (error instanceof ApiError) return error;
    throw error;
  });
  await vi.runAllTimersAsync();
  return settled;
}

const FAULTS: [string, () => Answer][] = [
  ["502", () => html(502)],
  ["500 of the server", () => apiError(500, "internal")],
  ["504", () => html(504)],
  ["429", () => apiError(429, "too-many-requests")],
  ["503", () => apiError(503, "store-failed")],
  ["404 of a proxy", () => html(404)],
  ["a page", () => html(200)],
  ["half an answer", () => new Response('{"numb')],
  ["an empty answer", () => new Response("")],
  ["no network", () => "refused"],
  ["no answer", () => "hung"],
  ["a body that never ends", () => "half"],
];

test.each(FAULTS)("a move answered by %s is sent again with the same key", async (_, fault) => {
  answering(fault, fault, () => json({ number: 7 }));
  const retries: number[] = [];
  const moved = postAction(
    "t",
    "move",
    "tok",
    { move: "a1" },
    { onRetry: (_, attempt) => retries.push(attempt) },
  );
  expect(await outcome(moved)).toEqual({ number: 7 });
  expect(retries).toEqual([1, 2]);
  expect(asked).toHaveLength(3);
  expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
  expect(asked[0]!.key).toMatch(/^[0-9a-f]{32}$/);
});

test.each(FAULTS)("what may only be asked once is not asked again after %s", async (_, fault) => {
  answering(fault, () => json({ id: "x" }));
  const opened = await outcome(request("POST /tables", { body: { game: "quadrille" } }));
  expect(opened).toBeInstanceOf(ApiError);
  expect(asked).toHaveLength(1);
});

test("a refusal is final", async () => {
  answering(
    () => html(502),
    () => apiError(409, "not-your-turn"),
    () => json({ number: 7 }),
  );
  expect(await outcome(postAction("t", "move", "tok", { move: "a1" }))).toMatchObject({
    status: 409,
    code: "not-your-turn",
  });
  expect(asked).toHaveLength(2);
});

test("a move is given up after about a minute", async () => {
  answering(...Array.from({ length: 100 }, () => () => html(502)));
  expect(await outcome(postAction("t", "move", "tok", { move: "a1" }))).toMatchObject({
    status: 0,
    code: "no-answer",
  });
  const took = asked.at(-1)!.at - asked[0]!.at;
  expect(took).toBeGreaterThan(50_000);
  expect(took).toBeLessThan(61_000);
});

test("a server that says when to come again is asked then", async () => {
  answering(
    () => apiError(503, "store-failed", { "Retry-After": "5" }),
    () => json({ number: 7 }),
  );
  await outcome(postAction("t", "move", "tok", { move: "a1" }));
  expect(asked[1]!.at - asked[0]!.at).toBe(5_000);
});

test("a single try has its time", async () => {
  answering(() => "hung");
  expect(await outcome(requestOnce("GET /server", { timeout: 500 }))).toMatchObject({
    status: 0,
    code: "no-answer",
  });
  expect(Date.now() - asked[0]!.at).toBe(500);
});

test.each([
  ["502 of a proxy", () => html(502)],
  ["500", () => apiError(500, "internal")],
  ["a page", () => html(200)],
  ["404 of a proxy", () => html(404)],
] as [string, () => Answer][])("%s is no answer of the server", async (_, fault) => {
  answering(fault);
  expect(await outcome(requestOnce("GET /server"))).toMatchObject({ status: 0, code: "no-answer" });
});

test("what the server refuses has its own code", async () => {
  answering(() => apiError(404, "no-such-table"));
  expect(await outcome(getTable("t", null))).toMatchObject({ status: 404, code: "no-such-table" });
  expect(asked).toHaveLength(1);
});

test("a action may have nothing to tell", async () => {
  answering(() => new Response(null, { status: 204 }));
  expect(await outcome(postAction("t", "reminders/stop", "tok"))).toBeUndefined();
});

test("tables are asked for fifty tokens at a time", async () => {
  const tokens = Array.from({ length: 120 }, (_, n) => `t${n}`);
  answering(...[1, 2, 3].map((id) => () => json({ tables: [{ id }] })));
  expect(await outcome(getMyTables(tokens))).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  expect(asked.map((each) => each.tokens!.split(" ").length)).toEqual([50, 50, 20]);
  expect(asked.flatMap((each) => each.tokens!.split(" "))).toEqual(tokens);
});

test("who holds no seat asks for nothing", async () => {
  answering();
  expect(await outcome(getMyTables([]))).toEqual([]);
  expect(asked).toEqual([]);
});

test("a long history is put together from its pages", async () => {
  const page = (number: number, steps: string[], next?: number) => () =>
    json({ number, steps, said: steps.includes("a") ? ["hello"] : [], next });
  answering(page(7, ["a", "b"], 2), page(7, ["c"]));
  expect(await outcome(getHistory("t", null))).toEqual({
    number: 7,
    steps: ["a", "b", "c"],
    said: ["hello"],
  });
  expect(asked.map(({ path }) => path)).toEqual(["/api/tables/t/history", "/api/tables/t/history?first=2"]);

  answering(page(7, ["a", "b"], 2), page(8, ["x"]), page(8, ["a", "x"], 2), page(8, ["y"]));
  expect(await outcome(getHistory("t", null))).toMatchObject({ number: 8, steps: ["a", "x", "y"] });
});
