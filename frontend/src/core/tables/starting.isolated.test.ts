import { beforeEach, expect, test, vi } from "vitest";
import type { SeatView, TableView } from "$core/http/types.ts";

const server = vi.hoisted(() => ({
  actions: [] as [string, string, Record<string, string>][],
  answer: (() => Promise.resolve({})) as () => Promise<unknown>,
}));

vi.mock("$core/http/api.ts", async (original) => ({
  ...(await original<typeof import("$core/http/api.ts")>()),
  postAction: (_id: string, action: string, token: string, body: Record<string, string>) => {
    server.actions.push([action, token, body]);
    return server.answer();
  },
}));

const { ApiError } = await import("$core/http/api.ts");
const { device, noncesOf } = await import("$core/device/device.svelte.ts");
const { fingerprint } = await import("$core/crypto/sha256.ts");
const { advanceStart, canConfirm } = await import("./starting.ts");

const BOT: SeatView = { name: "Ramses", level: 2 };
const person = (nonce: string): SeatView => ({
  name: nonce,
  taken: true,
  ...(nonce ? { commitment: fingerprint(nonce) } : {}),
});

function starting(phase: "commit" | "reveal", pending: number[], ...seats: SeatView[]): TableView {
  return {
    commitment: "promise",
    seats,
    starting: { phase, seats: pending, deadline: 7 },
  } as unknown as TableView;
}

const held = (token: string) => device.seats.find((seat) => seat.token === token)!;
const nonces = (token: string) => noncesOf(held(token)).map(({ nonce }) => nonce);

beforeEach(() => {
  localStorage.clear();
  for (const { token } of device.seats) device.letGo(token);
  server.actions = [];
  server.answer = () => Promise.resolve({});
  device.hold("T", "ann", "quadrille", { promise: "promise", nonce: "a1" }, { seat: 0, since: 1 });
});

test("a nonce is revealed when all have committed, and what they committed to is noted", async () => {
  const table = starting("reveal", [0, 1], person("a1"), person("b2"), BOT);
  expect(await advanceStart("T", table)).toBeNull();
  expect(server.actions).toEqual([["reveal", "ann", { nonce: "a1" }]]);
  const against = [fingerprint("a1"), fingerprint("b2"), ""];
  expect(held("ann").nonces).toEqual([{ nonce: "a1", against }]);
});

test("it is revealed again after a lost answer, but only against the same commitments", async () => {
  server.answer = () => Promise.reject(new ApiError(0, "no-answer", ""));
  const table = starting("reveal", [0, 1], person("a1"), person("b2"));
  await advanceStart("T", table);
  await advanceStart("T", table);
  expect(server.actions).toHaveLength(2);
  const other = starting("reveal", [0, 1], person("a1"), person("x3"));
  expect(await advanceStart("T", other)).toBe("asked-twice");
  expect(server.actions).toHaveLength(2);
});

test("nothing is revealed to a server that broke its promise, or before all have committed", async () => {
  const table = starting("reveal", [0, 1], person("a1"), person("b2"));
  expect(await advanceStart("T", { ...table, commitment: "another" })).toBe("other-promise");
  expect(await advanceStart("T", starting("reveal", [0], person("a1"), person("")))).toBe("no-commitment");
  expect(server.actions).toEqual([]);
});

test("when nonces became void a new one is stored and committed to, once", async () => {
  const table = starting("commit", [0], person(""), person("b2"));
  await Promise.all([advanceStart("T", table), advanceStart("T", table)]);
  expect(server.actions).toHaveLength(1);
  const [before, fresh] = nonces("ann");
  expect(before).toBe("a1");
  expect(fresh).toMatch(/^[0-9a-f]{32}$/);
  expect(server.actions[0]).toEqual(["commit", "ann", { commitment: fingerprint(fresh!) }]);
  await advanceStart("T", starting("commit", [1], person(fresh!), person("")));
  expect(server.actions).toHaveLength(1);
  await advanceStart("T", starting("reveal", [0, 1], person(fresh!), person("b2")));
  expect(server.actions[1]).toEqual(["reveal", "ann", { nonce: fresh }]);
});

const VOID = starting("commit", [0], person(""), person("b2"));

test("a seat that is not waited for commits to nothing", async () => {
  device.hold("T", "link", ""); // by a private link: where it sits is not known yet
  device.hold("T", "bob", "", {}, { seat: 1, since: 2 }); // taken on another device
  await advanceStart("T", VOID);
  expect(server.actions.map(([action, token]) => [action, token])).toEqual([["commit", "ann"]]);
  expect([nonces("link"), nonces("bob")]).toEqual([[], []]);
});

test("a nonce is dropped if another device has committed for its seat", async () => {
  server.answer = () => Promise.reject(new ApiError(409, "committed", ""));
  expect(await advanceStart("T", VOID)).toBeNull();
  expect(nonces("ann")).toEqual(["a1"]);
});

test("a nonce whose commitment was not answered is sent again, and no other", async () => {
  server.answer = () => Promise.reject(new ApiError(0, "no-answer", ""));
  await advanceStart("T", VOID);
  expect(held("ann").nonces!.map(({ unanswered }) => unanswered)).toEqual([undefined, true]);
  server.answer = () => Promise.resolve({});
  await advanceStart("T", VOID);
  const [first, second] = server.actions;
  expect(second).toEqual(first);
  expect(held("ann").nonces!.map(({ unanswered }) => unanswered)).toEqual([undefined, undefined]);
  await advanceStart("T", VOID); // another start, another nonce
  expect(server.actions[2]).not.toEqual(first);
});

test("however often a start fails, the next one is tried", async () => {
  for (let n = 0; n < 30; n++) {
    expect(await advanceStart("T", VOID)).toBeNull();
    const fresh = nonces("ann").at(-1)!;
    expect(await advanceStart("T", starting("reveal", [0], person(fresh), person("b2")))).toBeNull();
  }
  expect(server.actions).toHaveLength(60);
  expect(nonces("ann")).toHaveLength(20);
});

test("the commitments that were seen first stay, also if another tab saw others", async () => {
  const seen = [fingerprint("a1"), fingerprint("b2")];
  device.noteNonce("ann", { nonce: "a1", against: seen });
  const other = { nonce: "a1", against: [seen[0]!, fingerprint("x3")] };
  expect(device.noteNonce("ann", other).against).toEqual(seen);
  expect(held("ann").nonces).toEqual([{ nonce: "a1", against: seen }]);
});

test("a second call while a request is in flight has the same answer", async () => {
  let done = () => {};
  server.answer = () => new Promise((answered) => (done = () => answered({})));
  const table = starting("reveal", [0, 1], person("a1"), person("b2"));
  const both = [advanceStart("T", table), advanceStart("T", table)];
  await Promise.resolve();
  done();
  expect([await both[0], await both[1], server.actions.length]).toEqual([null, null, 1]);
});

test("a device can confirm a seat by its nonce, or commit where there is no commitment", () => {
  device.hold("T", "link", ""); // taken on another device
  expect(canConfirm("ann", fingerprint("a1"))).toBe(true);
  expect(canConfirm("ann", fingerprint("b2"))).toBe(false);
  expect(canConfirm("link", fingerprint("a1"))).toBe(false);
  expect(canConfirm("link", "")).toBe(true);
});

test("of two tabs that committed at once, the nonce that counts is revealed", async () => {
  device.noteNonce("ann", { nonce: "first" });
  device.noteNonce("ann", { nonce: "second" }); // was refused
  await advanceStart("T", starting("reveal", [0], person("first"), person("b2")));
  expect(server.actions).toEqual([["reveal", "ann", { nonce: "first" }]]);
});

test("all seats of a device reveal, and no other seat", async () => {
  device.hold("T", "bob", "quadrille", { promise: "promise", nonce: "b2" });
  device.hold("U", "eve", "quadrille", { promise: "promise", nonce: "c3" });
  device.hold("T", "link", ""); // taken on another device
  await advanceStart("T", starting("reveal", [0, 1], person("a1"), person("b2"), person("c3")));
  expect(server.actions.map(([, token]) => token)).toEqual(["ann", "bob"]);
});

test("somebody who copies our commitment does not keep us from revealing", async () => {
  await advanceStart("T", starting("reveal", [1], person("a1"), person("a1")));
  expect(server.actions).toEqual([["reveal", "ann", { nonce: "a1" }]]);
});

test("a nonce of an earlier version is known too", () => {
  const old = { table: "T", token: "old", game: "", at: 0, nonce: "n" };
  expect(noncesOf(old)).toEqual([{ nonce: "n" }]);
});

test("the device keeps nonces when a seat is held again", () => {
  device.hold("T", "ann", "");
  expect(nonces("ann")).toEqual(["a1"]);
  device.noteNext("ann", { promise: "p", nonce: "n" });
  expect(device.nextOf("ann")).toEqual({ promise: "p", nonce: "n" });
  expect(device.nextOf("nobody")).toEqual({});
});
