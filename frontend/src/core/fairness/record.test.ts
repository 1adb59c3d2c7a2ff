import { beforeEach, expect, it, test } from "vitest";
import { device } from "$core/device/device.svelte.ts";
import { fingerprint } from "$core/crypto/sha256.ts";
import type { AnyEvent } from "$core/http/types.ts";
import { compare } from "./checking.ts";
import { beginningOf, type TableRecord } from "./record.ts";

const clear = (seat: number, nonce: string) => ({ kind: "sat", seat, name: "Ann", nonce });
const sat = (seat: number, nonce: string) => ({ ...clear(seat, ""), commitment: fingerprint(nonce) });
const committed = (seat: number, nonce: string) => ({
  kind: "committed",
  seat,
  commitment: fingerprint(nonce),
});
const revealed = (seat: number, nonce: string) => ({ kind: "revealed", seat, nonce });
const stood = (seat: number) => ({ kind: "stood", seat });
const freed = (seat: number) => ({ kind: "unrevealed", seat });
const bot = (seat: number) => ({ kind: "bot-seated", seat, level: 1 });
const BEGAN = { kind: "began", order: [0, 1], start: "", draws: 0 };

function record(...events: object[]): TableRecord {
  return {
    "benben-table": 1,
    id: "T",
    terms: { game: "pyramidis", options: { players: 2 }, bots: [0, 0], drawn: false, commitment: "promise" },
    entries: events.map((event, at) => ({ number: at + 1, at, event: event as AnyEvent })),
  };
}

const noncesIn = (...events: object[]) =>
  beginningOf(record(...events, BEGAN)).added.map(({ nonce }) => nonce);

it("finds the nonces that count", () => {
  expect(noncesIn(clear(1, "b"), clear(0, "a"))).toEqual(["a", "b"]); // as before commitments
  expect(noncesIn(sat(1, "b"), clear(0, "a"), revealed(1, "b"))).toEqual(["a", "b"]);
  expect(noncesIn(sat(0, "a"), bot(1), revealed(0, "a"))).toEqual(["a"]);
  expect(noncesIn(clear(0, "a"), stood(0), clear(0, "c"), bot(1))).toEqual(["c"]);
  const again = [sat(0, "a"), sat(1, "b"), revealed(0, "a"), freed(1), sat(1, "c"), committed(0, "d")];
  expect(noncesIn(...again, revealed(0, "d"), revealed(1, "c"))).toEqual(["d", "c"]);
});

const full = [sat(0, "a"), sat(1, "b")];
it.each([
  ["another nonce than the one committed to", 3, [...full, revealed(0, "x")]],
  ["one revealed before all had committed", 2, [sat(0, "a"), revealed(0, "a"), clear(1, "b")]],
  ["one that became void", 6, [...full, revealed(0, "a"), stood(1), clear(1, "c"), revealed(0, "a")]],
  ["one that may have been sent before", 5, [...full, stood(1), clear(1, "c"), revealed(0, "a")]],
  ["a commitment that was exchanged", 4, [...full, revealed(1, "b"), committed(0, "x")]],
  ["a seat that was taken twice", 3, [...full, clear(0, "x")]],
  ["a game that began too early", 4, [...full, revealed(0, "a")]],
  ["a nonce and a commitment", 1, [{ ...sat(0, "a"), nonce: "a" }]],
  ["nobody who leaves", 1, [stood(0)]],
])("finds %s", (_, number, events) => {
  expect(beginningOf(record(...events, BEGAN)).wrong).toBe(number);
});

const game = record(...full, revealed(1, "b"), revealed(0, "a"), BEGAN);

beforeEach(() => {
  localStorage.clear();
  for (const { token } of device.seats) device.letGo(token);
});

const NOTHING = { promise: null, nonce: null, commitments: null, elsewhere: false };

test("what this device noted is compared with the record", () => {
  expect(compare(game)).toEqual(NOTHING);
  device.hold("T", "ann", "", { promise: "promise", nonce: "void" });
  expect(compare(game).nonce).toBe(false);
  const against = [fingerprint("a"), fingerprint("b")];
  device.noteNonce("ann", { nonce: "a", against });
  expect(compare(game)).toEqual({ promise: true, nonce: true, commitments: true, elsewhere: false });
  device.hold("T", "bob", "");
  device.noteNonce("bob", { nonce: "b", against: [against[1]!, fingerprint("x")] });
  expect(compare(game).commitments).toBe(false);
});

test("a nonce that the server has not accepted is not missed in the record", () => {
  device.hold("T", "link", "");
  device.noteNonce("link", { nonce: "unanswered", unanswered: true });
  expect(compare(game)).toEqual(NOTHING);
});

// Ann revealed "a", Bob's seat was freed, and then Ann's: others have played.
const played = [sat(0, "c"), sat(1, "d"), revealed(0, "c"), revealed(1, "d"), BEGAN];

test("a nonce of a seat that was freed is not missed in the record", () => {
  device.hold("T", "ann", "", { promise: "promise", nonce: "a" });
  const left = record(...full, revealed(0, "a"), freed(0), stood(1), ...played);
  expect(compare(left)).toEqual({ ...NOTHING, promise: true });
  const late = record(...full, revealed(0, "a"), freed(1), stood(0), ...played);
  expect(compare(late)).toEqual({ ...NOTHING, promise: true });
});

test("a nonce that became void may be replaced by one of another device", () => {
  device.hold("T", "ann", "", { promise: "promise", nonce: "a" });
  const again = [sat(1, "d"), committed(0, "c"), revealed(0, "c"), revealed(1, "d"), BEGAN];
  const replaced = record(...full, revealed(0, "a"), freed(1), ...again);
  expect(compare(replaced)).toEqual({ ...NOTHING, promise: true, elsewhere: true });
  device.noteNonce("ann", { nonce: "c" });
  expect(compare(replaced)).toEqual({ ...NOTHING, promise: true, nonce: true });
  expect(beginningOf(replaced).restarts).toBe(1);
});
