import { afterEach, beforeEach, expect, test, vi } from "vitest";

type DeviceModule = typeof import("./device.svelte.ts");

/** The storage of all tabs, which may be full or forbidden. */
class Stored {
  items = new Map<string, string>();
  room = Infinity; // characters in an item
  written = 0;
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => {
    if (value.length > this.room) throw new DOMException("", "QuotaExceededError");
    this.written++;
    this.items.set(key, value);
  };
}

let storage: Stored;

/** A tab: its own memory, the storage of all. */
async function tab(): Promise<DeviceModule["device"]> {
  vi.resetModules();
  return ((await import("./device.svelte.ts")) as DeviceModule).device;
}

const stored = () => JSON.parse(storage.getItem("benben.seats") ?? "[]") as { token: string }[];
const tokens = (seats: { token: string }[]) => seats.map((seat) => seat.token);

function changedElsewhere(key: string | null): void {
  window.dispatchEvent(new StorageEvent("storage", { key }));
}

beforeEach(() => {
  storage = new Stored();
  vi.stubGlobal("localStorage", storage);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("however many seats there are, none makes room for another", async () => {
  const device = await tab();
  for (let n = 0; n < 120; n++) device.hold(`table${n}`, `token${n}`, "quadrille");
  expect(device.seats).toHaveLength(120);
  expect(device.tokensAt("table0")).toEqual(["token0"]);
  expect(tokens((await tab()).seats)).toEqual(tokens(stored()));
});

test("a token the server does not know is kept, and used no more", async () => {
  const device = await tab();
  device.hold("a", "one", "objectif");
  device.hold("a", "two", "objectif");
  device.miss("one");
  expect(device.tokensAt("a")).toEqual(["two"]);
  expect(tokens(stored())).toEqual(["one", "two"]);
});

test("a table that is told of again brings its seats back", async () => {
  const device = await tab();
  device.hold("a", "one", "");
  device.miss("one");
  device.learn([{ id: "b", game: "pyramidis", over: false }]);
  expect(device.tokensAt("a")).toEqual([]);
  device.learn([{ id: "a", game: "objectif", over: false }]);
  expect(device.tokensAt("a")).toEqual(["one"]);
  expect(device.seats[0]!.game).toBe("objectif");
});

test("a seat that is gone does not come back by another one at its table", async () => {
  const device = await tab();
  device.hold("a", "one", "objectif");
  device.hold("a", "two", "objectif");
  device.miss("one");
  device.learn([{ id: "a", game: "objectif", over: true }]);
  expect(device.tokensAt("a")).toEqual(["two"]);
  expect(device.seats.every((seat) => seat.over)).toBe(true);
});

test("a private link to a seat that was gone takes it again", async () => {
  const device = await tab();
  device.hold("a", "one", "objectif");
  device.miss("one");
  device.hold("a", "one", "");
  expect(device.tokensAt("a")).toEqual(["one"]);
});

test("nothing is written where nothing is new", async () => {
  const device = await tab();
  device.hold("a", "one", "objectif");
  storage.written = 0;
  device.learn([{ id: "a", game: "objectif", over: false }]);
  device.miss("another");
  expect(storage.written).toBe(0);
});

test("tabs see each other's seats", async () => {
  const here = await tab();
  const there = await tab();
  here.hold("a", "one", "objectif");
  there.hold("b", "two", "objectif"); // before it has heard of the first
  expect(tokens(there.seats)).toEqual(["one", "two"]);
  changedElsewhere("benben.seats");
  expect(tokens(here.seats)).toEqual(["one", "two"]);
  there.letGo("one");
  changedElsewhere("benben.seats");
  expect(tokens(here.seats)).toEqual(["two"]);
  storage.items.clear();
  changedElsewhere(null);
  expect(here.seats).toEqual([]);
});

test("where storage is full the oldest finished games make room, and no other", async () => {
  const device = await tab();
  for (let n = 0; n < 6; n++) {
    vi.spyOn(Date, "now").mockReturnValue(1000 + n);
    device.hold(`t${n}`, `token${n}`, "objectif");
  }
  device.learn(["t1", "t3", "t5"].map((id) => ({ id, game: "objectif", over: true })));
  storage.room = storage.getItem("benben.seats")!.length;
  device.hold("new", "tokenN", "objectif");
  expect(tokens(stored())).toEqual(["token0", "token2", "token3", "token4", "token5", "tokenN"]);
  expect(tokens(device.seats)).toEqual(tokens(stored()));
});

test("where nothing can be stored the seats of this tab are kept as long as it is open", async () => {
  const device = await tab();
  storage.room = 0;
  device.hold("a", "one", "objectif");
  device.hold("b", "two", "objectif");
  device.learn([{ id: "a", game: "objectif", over: true }]);
  changedElsewhere("benben.seats");
  expect(tokens(device.seats)).toEqual(["one", "two"]);
});

test("what is stored and makes no sense is no seat", async () => {
  storage.setItem("benben.seats", '[null, {"token": "one", "table": "a"}, 3]');
  expect(tokens((await tab()).seats)).toEqual(["one"]);
  storage.setItem("benben.seats", '{"a":');
  expect((await tab()).seats).toEqual([]);
});

test("whoever has declined to play again is not asked again, and a seat there stays theirs", async () => {
  const device = await tab();
  device.hold("one", "token", "quadrille");
  device.hold("other", "another", "quadrille");
  device.decline("one");
  device.learn([{ id: "one", game: "quadrille", over: true }]);
  const later = await tab();
  expect(later.hasDeclined("one")).toBe(true);
  expect(later.hasDeclined("other")).toBe(false);
  expect(later.tokensAt("one")).toEqual(["token"]);
});

test("a game is met once", async () => {
  const device = await tab();
  device.meet("quadrille");
  device.meet("quadrille");
  expect((await tab()).settings.met).toEqual(["quadrille"]);
});

test("a private link that is opened again changes nothing that is known of its seat", async () => {
  const device = await tab();
  device.hold("a", "one", "objectif", { promise: "p", nonce: "n" });
  device.learn([{ id: "a", game: "objectif", over: true }]);
  device.decline("a");
  device.note(new Set(["a"]));
  const { at: _, ...before } = device.seats[0]!;
  device.miss("one");
  device.hold("a", "one", "");
  const { at: __, ...after } = device.seats[0]!;
  expect(after).toEqual(before);
  expect(device.tokensAt("a")).toEqual(["one"]);
});
