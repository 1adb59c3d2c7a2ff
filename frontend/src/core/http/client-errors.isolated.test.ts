import { beforeEach, expect, test, vi, type Mock } from "vitest";
import { ApiError } from "./api.ts";
import { masked, reportError, reportOf } from "./client-errors.ts";

const TOKEN = "abcdefghijklmnopqrstuvwxyz012345";

/** An error with a stack as a browser writes it. */
function thrown(message: string, stack = ""): Error {
  return Object.assign(new Error(message), { stack });
}

test("an id, a query, a fragment, a token, an origin and quoted text are not told", () => {
  for (const [written, told] of [
    [`${location.origin}/assets/Board-1a2b.js?seat=x:1:20`, "/assets/Board-1a2b.js:1:20"],
    ["at f (https://h.test/t/AbC-12#seat=x:3:4)", "at f (https://h.test/t/ID:3:4)"],
    ["f@https://h.test/review/AbC-12:3:4", "f@https://h.test/review/ID:3:4"],
    ["/tables/AbC/move and /reviews/AbC", "/tables/ID/move and /reviews/ID"],
    [`Bearer ${TOKEN}`, "Bearer ***"],
    ['Unexpected token, "Ann said" is not valid JSON', 'Unexpected token, "…" is not valid JSON'],
    [
      "Cannot read properties of undefined (reading 'x')",
      "Cannot read properties of undefined (reading 'x')",
    ],
  ] as const)
    expect(masked(written)).toBe(told);
});

test("a report has the message, the places of the stack, the page and nothing else of a person", () => {
  history.replaceState(null, "", "/t/AbC-12?x=1#seat=x");
  const chromium =
    "Error: of ann@example.org\n    at f (http://h.test/a.js?x:1:2)\n    at http://h.test/b.js:3:4";
  expect(reportOf(thrown("gone", chromium))).toEqual({
    message: "Error: gone",
    stack: "at f (http://h.test/a.js:1:2)\nat http://h.test/b.js:3:4",
    page: "/t/ID",
    build: "",
    browser: expect.stringMatching(/^(Chrome|Edge|Firefox|Safari|other)$/),
  });
  const firefox = "f@http://h.test/a.js:1:2\n@http://h.test/b.js:3:4\n";
  expect(reportOf(thrown("gone", firefox))?.stack).toBe("f@http://h.test/a.js:1:2\n@http://h.test/b.js:3:4");
  history.replaceState(null, "", "/");
});

test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox"],
  ["Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0", "Edge"],
  ["Mozilla/5.0 (X11) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36", "Chrome"],
  ["Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1", "Safari"],
  ["Links (2.30)", "other"],
])("of %s only the family is told", (agent, family) => {
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue(agent);
  expect(reportOf(new Error("x"))?.browser).toBe(family);
  vi.restoreAllMocks();
});

test("the build is the script that the page started with", () => {
  const script = { getAttribute: () => "/assets/index-B3xk.js" } as unknown as Element;
  vi.spyOn(document, "querySelector").mockReturnValue(script);
  expect(reportOf(new Error("x"))?.build).toBe("index-B3xk.js");
  vi.restoreAllMocks();
});

test("what is longer than the server takes is cut", () => {
  const line = "at f (http://h.test/a.js:1:2)\n";
  const report = reportOf(thrown("x ".repeat(1_000), line.repeat(1_000)))!;
  expect(report.message).toHaveLength(300);
  expect(report.stack).toHaveLength(2_000);
});

test.each([
  ["no answer", new ApiError(0, "no-answer", "")],
  ["too many requests", new ApiError(429, "too-many-requests", "")],
  ["an error of the server", new ApiError(503, "store-failed", "")],
  ["a request that was given up", new DOMException("given up", "AbortError")],
  ["an extension of the browser", thrown("x", "at f (chrome-extension://abc/x.js:1:2)")],
  ["another site's script", "Script error."],
  ["sizes that change each other", "ResizeObserver loop completed with undelivered notifications."],
])("%s is not reported", (_, error) => {
  expect(reportOf(error)).toBeNull();
});

test("of a refusal nobody expected only the code is told", () => {
  expect(reportOf(new ApiError(409, "seat-taken", "Ann sits there"))?.message).toBe(
    "ApiError: 409 seat-taken",
  );
});

test.each([
  ["x", "x"],
  [undefined, "thrown: undefined"],
  [{ name: "Ann" }, "thrown: object"],
  ["", "?"],
])("%j that is thrown is told as %j", (error, message) => {
  expect(reportOf(error)?.message).toBe(message);
});

// ---- Sending: the module remembers what it has sent, so these have modules of their own

let fetched: Mock;
let send: typeof reportError;

beforeEach(async () => {
  vi.resetModules();
  ({ reportError: send } = await import("./client-errors.ts"));
  fetched = vi.fn(async () => new Response(null, { status: 204 }));
  vi.stubGlobal("fetch", fetched);
});

const bodies = () =>
  fetched.mock.calls.map(([, { body }]) => JSON.parse(body as string) as { message: string });

test("an error is sent once, without a token or cookies of ours", () => {
  for (let i = 0; i < 3; i++) send(thrown("same"));
  expect(fetched).toHaveBeenCalledOnce();
  const [path, { method, headers }] = fetched.mock.calls[0]!;
  expect([path, method]).toEqual(["/api/client-errors", "POST"]);
  expect(headers).toEqual({ "Content-Type": "application/json" });
});

test("at most five are sent of a page load", () => {
  for (let i = 0; i < 20; i++) send(thrown(`error ${i}`));
  expect(bodies().map(({ message }) => message)).toEqual([0, 1, 2, 3, 4].map((i) => `Error: error ${i}`));
});

test.each([
  ["no network", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["a refusal", async () => new Response("", { status: 429 })],
])("%s is dropped: nothing is sent again, and nothing is thrown", async (_, answer) => {
  const unhandled = vi.fn();
  process.on("unhandledRejection", unhandled);
  fetched.mockImplementation(answer);
  send(thrown("x"));
  await new Promise((done) => setTimeout(done, 50));
  process.off("unhandledRejection", unhandled);
  expect(fetched).toHaveBeenCalledOnce();
  expect(unhandled).not.toHaveBeenCalled();
});

test("an error that cannot be read throws nothing", () => {
  const odd = new Error("x");
  Object.defineProperty(odd, "stack", {
    get: () => {
      throw new Error("of the error");
    },
  });
  expect(() => send(odd)).not.toThrow();
  expect(fetched).not.toHaveBeenCalled();
});
