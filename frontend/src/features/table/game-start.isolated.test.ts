import { expect, test } from "vitest";
import type { AnyEvent, EventMessage, HistoryView, TableView } from "$core/http/types.ts";
import {
  server,
  pastOf,
  settle,
  comes,
  happens,
  event,
  open,
  STARTING,
  full,
  device,
  ApiError,
} from "$testing/session.ts";

const [ANN, BOB] = full().seats;
const freed = (number: number, seat: number, seats: unknown[]): EventMessage =>
  event(number, { kind: "unrevealed", seat } as AnyEvent, {
    now: { view: "", seats } as EventMessage["now"],
  });
const lostBy = (number: number, seat: number, name: string) =>
  ({ number, at: 0, after: 0, kind: "unrevealed", seat, name }) as HistoryView["notices"][number];
const gone = (token: string) => device.seats.find((seat) => seat.token === token)?.gone;

test("a nonce is revealed as soon as every seat has committed", async () => {
  device.hold("T", "ann", "quadrille", { nonce: "a1" });
  open();
  await comes(full());
  expect(server.actions).toEqual([]);
  await happens(
    event(3, { kind: "said", seat: 1, text: "" } as AnyEvent, {
      now: { view: "", starting: STARTING } as EventMessage["now"],
    }),
  );
  expect(server.actions).toEqual([["reveal", "ann", { nonce: "a1" }]]);
  await comes(full({ starting: STARTING } as Partial<TableView>)); // after a reconnect
  expect(server.actions).toHaveLength(2);
});

test("a reveal that failed is tried again when the server answers", async () => {
  device.hold("T", "ann", "quadrille", { nonce: "a1" });
  open();
  server.answer = () => Promise.reject(new ApiError(0, "no-answer", ""));
  server.stream!.onConnectionChange(true);
  await comes(full({ starting: STARTING } as Partial<TableView>));
  server.stream!.onConnectionChange(false);
  expect(server.actions).toHaveLength(1);
  server.stream!.onConnectionChange(true);
  await settle();
  expect(server.actions).toEqual([1, 2].map(() => ["reveal", "ann", { nonce: "a1" }]));
});

test("an older answer does not replace a newer refusal", async () => {
  device.hold("T", "ann", "quadrille", { promise: "promise", nonce: "a1" });
  const session = open();
  let answer = () => {};
  server.answer = () => new Promise((done) => (answer = () => done({})));
  await comes(full({ commitment: "promise", starting: STARTING } as Partial<TableView>));
  await comes(full({ commitment: "another", starting: STARTING } as Partial<TableView>));
  expect(session.start.refusal).toBe("other-promise");
  answer();
  await settle();
  expect(session.start.refusal).toBe("other-promise");
});

test("a freed seat is reported to its player", async () => {
  device.hold("T", "ann", "quadrille", { nonce: "a1" });
  const session = open();
  await comes(full());
  await happens(freed(3, 0, [{}, BOB]));
  expect([session.start.isOwnSeatFreed, gone("ann"), server.tokens]).toEqual([true, true, ["ann", null]]);
  await comes(full({ number: 3, you: undefined, seats: [{}, BOB] } as Partial<TableView>));
  expect([session.start.isOwnSeatFreed, session.seats.local, gone("ann")]).toEqual([true, [], true]); // a spectator's seat stays gone
});

test("seats that were freed are reported, as long as they are free", async () => {
  device.hold("T", "ann", "quadrille", { nonce: "a1" });
  const session = open();
  const eve = { name: "Eve", taken: true };
  await comes(full({ seats: [ANN, BOB, eve] } as Partial<TableView>));
  await happens(freed(3, 1, [ANN, {}, eve]));
  await happens(freed(4, 2, [ANN, {}, {}]));
  expect(session.start.freedSeats.map(({ name }) => name)).toEqual(["Bob", "Eve"]);
  const satDown = (seats: unknown[]) => ({ view: "", seats }) as EventMessage["now"];
  const sat = (seat: number) => ({ kind: "sat", seat, name: "" }) as unknown as AnyEvent;
  await happens(event(5, sat(2), { now: satDown([ANN, {}, { name: "Dan", taken: true }]) }));
  expect(session.start.freedSeats.map(({ name }) => name)).toEqual(["Bob"]);
  await happens(event(6, { kind: "stood", seat: 2 } as AnyEvent, { now: satDown([ANN, {}, {}]) }));
  await happens(event(7, sat(2), { now: satDown([ANN, {}, BOB]) })); // on another seat
  expect([session.start.freedSeats, session.start.isOwnSeatFreed]).toEqual([[], false]);
});

test("one of several seats of a device that is freed is reported", async () => {
  server.seatOf = { ann: 0, bob: 1 };
  device.hold("T", "ann", "quadrille", { nonce: "a1" });
  device.hold("T", "bob", "quadrille", { nonce: "b2" });
  const session = open();
  await comes(full({ you: undefined }));
  await happens(freed(3, 1, [ANN, {}]));
  expect(server.tokens).toEqual([null, "ann"]);
  await comes(full({ number: 3, seats: [ANN, {}] } as Partial<TableView>));
  expect([session.seats.local, session.start.freedSeats.map(({ name }) => name)]).toEqual([[0], ["Bob"]]);
});

test("of several seats that are freed at once, ours is noticed", async () => {
  server.seatOf = { ann: 0, bob: 1 };
  device.hold("T", "ann", "quadrille", { nonce: "a1" });
  device.hold("T", "bob", "quadrille", { nonce: "b2" });
  open();
  const eve = { name: "Eve", taken: true };
  await comes(full({ you: undefined, seats: [ANN, BOB, eve] } as Partial<TableView>));
  await happens(event(3, { kind: "unrevealed", seat: 1 } as AnyEvent, { now: undefined }));
  await happens(freed(4, 2, [ANN, {}, {}]));
  expect([server.tokens, gone("bob")]).toEqual([[null, "ann"], true]);
});

test("a seat that was freed while several seats had no connection is noticed", async () => {
  server.seatOf = { ann: 0, bob: 1 };
  device.hold("T", "ann", "quadrille", { nonce: "a1" });
  device.hold("T", "bob", "quadrille", { nonce: "b2" });
  open();
  await comes(full({ you: undefined }));
  server.seatOf = { ann: 0 };
  await comes(full({ you: undefined, number: 4 }));
  expect([server.tokens, gone("bob")]).toEqual([[null, "ann"], true]);
});

test("a seat that was left or erased on another device was not freed", async () => {
  device.hold("T", "ann", "quadrille", { nonce: "a1" }, { seat: 0, since: 1 });
  server.history = { ...pastOf(), notices: [lostBy(4, 1, "Bob")] };
  const session = open();
  server.stream!.onSeatLost!(new ApiError(401, "no-token", ""));
  await comes(full({ number: 5, you: undefined, seats: [{}, {}] } as Partial<TableView>));
  expect([session.start.isOwnSeatFreed, session.start.freedSeats.length, gone("ann")]).toEqual([
    false,
    1,
    true,
  ]);
});

test("a player who returns later sees that the seat was freed", async () => {
  device.hold("T", "ann", "quadrille", { nonce: "a1" }, { seat: 0, since: 1 });
  server.history = { ...pastOf(), number: 5, notices: [lostBy(4, 0, "Ann")] };
  const session = open();
  server.stream!.onSeatLost!(new ApiError(401, "no-token", ""));
  await comes(full({ number: 5, you: undefined, seats: [{}, BOB] } as Partial<TableView>));
  expect([session.start.isOwnSeatFreed, server.histories]).toEqual([true, 1]);
  await comes(full({ number: 5, you: undefined, seats: [{}, BOB] } as Partial<TableView>));
  expect(server.histories).toBe(1);
});
