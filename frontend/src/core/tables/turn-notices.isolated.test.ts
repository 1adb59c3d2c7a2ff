import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { tellTurn as Tell, watchTurns as Watch } from "./turn-notices.ts";

const knocks: string[] = [];
vi.mock("$core/device/sounds.ts", () => ({ sound: (whose: string) => knocks.push(whose) }));

/** Notices as a browser shows them: one of each tag. */
let shown: Map<string, { title: string; data: { path: string }; close: () => void }>;
let workers: boolean; // whether there are service workers
let constructible: boolean; // not on Android
let made: number;

function show(title: string, options: NotificationOptions): void {
  made++;
  const tag = options.tag!;
  shown.set(tag, { title, data: options.data, close: () => shown.delete(tag) });
}

class FakeNotification {
  static permission: NotificationPermission = "granted";
  onclick: (() => void) | null = null;
  constructor(title: string, options: NotificationOptions) {
    if (!constructible) throw new TypeError("Illegal constructor");
    show(title, options);
    notices.push(this);
  }
  close = () => {};
}
let notices: FakeNotification[];

const registration = {
  active: {},
  showNotification: async (title: string, options: NotificationOptions) => show(title, options),
  getNotifications: async ({ tag }: { tag: string }) => [...(shown.has(tag) ? [shown.get(tag)!] : [])],
};

/** A tab of its own; the storage is that of all. */
async function tab(notify = true): Promise<{ tellTurn: typeof Tell; watchTurns: typeof Watch }> {
  vi.resetModules();
  const { device } = await import("$core/device/device.svelte.ts");
  device.settings.notify = notify;
  return import("./turn-notices.ts");
}

function hide(hidden: boolean): void {
  vi.spyOn(document, "hidden", "get").mockReturnValue(hidden);
  document.dispatchEvent(new Event("visibilitychange"));
}

const settle = () => vi.waitFor(() => new Promise((done) => setTimeout(done)));
const turn = (position_since: number, id = "abc") => ({ id, game: "quadrille", position_since });

beforeAll(() => import("./turn-notices.ts"), 30_000); // what it needs is made ready once

beforeEach(() => {
  [shown, workers, constructible, made, notices] = [new Map(), true, true, 0, []];
  knocks.length = 0;
  localStorage.clear();
  FakeNotification.permission = "granted";
  vi.stubGlobal("Notification", FakeNotification);
  vi.stubGlobal("isSecureContext", true);
  Object.defineProperty(navigator, "serviceWorker", {
    configurable: true,
    value: {
      register: () => (workers ? Promise.resolve(registration) : Promise.reject(new Error("no"))),
      ready: Promise.resolve(registration),
    },
  });
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("a hidden page tells by a notice that leads to the table, and by a sound", async () => {
  const { tellTurn } = await tab();
  tellTurn(turn(4));
  await settle();
  expect([...shown.values()].map(({ title, data }) => [title, data.path])).toEqual([["quadrille", "/t/abc"]]);
  expect(knocks).toEqual(["other"]);
});

test("however many tabs know of it, it is told once", async () => {
  const [one, two] = [await tab(), await tab()];
  one.tellTurn(turn(4));
  two.tellTurn(turn(4));
  one.tellTurn(turn(4));
  await settle();
  expect(made).toBe(1);
  two.tellTurn(turn(6));
  await settle();
  expect(made).toBe(2);
});

test("what somebody sees is not told, neither then nor later", async () => {
  const { tellTurn } = await tab();
  vi.spyOn(document, "hidden", "get").mockReturnValue(false);
  tellTurn(turn(4));
  vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  tellTurn(turn(4));
  await settle();
  expect(made).toBe(0);
  expect(knocks).toEqual([]);
});

test("without workers a notice is made by the page; a click leads to the table", async () => {
  workers = false;
  const { tellTurn } = await tab();
  tellTurn(turn(4));
  await settle();
  expect(made).toBe(1);
  const opened = vi.spyOn(window, "open").mockReturnValue(null);
  notices[0]!.onclick!();
  expect(opened).toHaveBeenCalledWith("/t/abc");
});

test("where notices cannot be made nothing breaks", async () => {
  workers = constructible = false;
  const { tellTurn } = await tab();
  tellTurn(turn(4));
  await settle();
  expect(made).toBe(0);
});

test.each(["denied", "default"] as const)("where permission is %s there is none", async (permission) => {
  FakeNotification.permission = permission;
  const { tellTurn } = await tab();
  tellTurn(turn(4));
  await settle();
  expect(made).toBe(0);
});

test("who wants none has none", async () => {
  const { tellTurn } = await tab(false);
  tellTurn(turn(4));
  await settle();
  expect(made).toBe(0);
});

test("permission that is given later works at once", async () => {
  FakeNotification.permission = "denied";
  const { tellTurn } = await tab();
  FakeNotification.permission = "granted";
  hide(true);
  tellTurn(turn(4));
  await settle();
  expect(made).toBe(1);
});

test("other tables are asked for; what was known when the page was hidden is not told", async () => {
  vi.useFakeTimers();
  vi.spyOn(document, "hidden", "get").mockReturnValue(false);
  const { watchTurns } = await tab();
  const { device } = await import("$core/device/device.svelte.ts");
  device.hold("abc", "one", "quadrille");
  device.hold("old", "two", "quadrille");
  device.learn([{ id: "old", game: "quadrille", over: true }]);
  let [number, position_since] = [4, 4];
  const asked: string[] = [];
  vi.stubGlobal("fetch", (_: string, { headers }: { headers: Record<string, string> }) => {
    asked.push(headers["Benben-Tokens"]!);
    const table = { id: "abc", game: "quadrille", number, position_since, your_turn: true, over: false };
    return Promise.resolve(new Response(JSON.stringify({ tables: [table] })));
  });
  watchTurns();
  hide(true);
  await vi.advanceTimersByTimeAsync(25_000);
  expect(asked).toEqual(["one", "one"]); // those that are over wait for nobody
  expect(made).toBe(0);
  number = 7; // three lines of chat
  await vi.advanceTimersByTimeAsync(20_000);
  expect([made, knocks]).toEqual([0, []]);
  [number, position_since] = [9, 9];
  await vi.advanceTimersByTimeAsync(20_000);
  expect([made, knocks]).toEqual([1, ["other"]]);
  number = 10;
  await vi.advanceTimersByTimeAsync(20_000);
  expect([made, knocks]).toEqual([1, ["other"]]);
  hide(false);
  await vi.advanceTimersByTimeAsync(100_000);
  expect(asked).toHaveLength(5);
});

test("a notice of a table that is looked at is taken away", async () => {
  const { tellTurn, watchTurns } = await tab();
  const { router } = await import("$core/routing/router.svelte.ts");
  router.path = "/t/abc";
  watchTurns();
  tellTurn(turn(4));
  tellTurn(turn(4, "other"));
  await settle();
  expect([...shown.keys()]).toEqual(["abc", "other"]);
  hide(false);
  await settle();
  expect([...shown.keys()]).toEqual(["other"]);
});
