import { expect, test, vi } from "vitest";
import type { AnyEvent, EventMessage } from "$core/http/types.ts";
import {
  server,
  AB,
  BC,
  AC,
  tableAt,
  settle,
  comes,
  happens,
  event,
  moved,
  open,
  together,
  said,
  device,
} from "$testing/session.ts";

test("of several seats on one device, the one to move is active", async () => {
  const session = await together();
  expect(server.tokens).toEqual([null]); // nothing secret comes by the stream
  expect([
    session.seats.local,
    session.seats.you,
    session.seats.bottom,
    session.actions.legal.length,
  ]).toEqual([[0, 1], 0, 0, 2]);
  await session.actions.move("ab");
  server.seen.bob = tableAt(4, 1, { you: 1, moves: ["ab"], legal: [BC], position_since: 4 });
  await happens(moved(4, 0, AB, 1));
  expect([session.seats.you, session.seats.bottom, session.actions.legal.map(({ move }) => move)]).toEqual([
    1,
    1,
    ["bc"],
  ]);
  await session.actions.move("bc");
  expect(server.actions).toEqual([
    ["move", "ann", { move: "ab", number: 3 }],
    ["move", "bob", { move: "bc", number: 4 }],
  ]);
});

test("seats of one device: chat leaves the offer as it is, and nothing is asked again", async () => {
  const session = await together();
  expect([session.actions.legal, server.looks]).toEqual([[AB, AC], 1]);
  let offers = 0;
  const stop = $effect.root(() => {
    $effect(() => {
      if (session.actions.legal.length === 0) offers++;
    });
  });
  await happens(said(4));
  expect([session.actions.legal, server.looks, offers]).toEqual([[AB, AC], 1, 0]);
  expect([session.table?.number, session.table?.you]).toEqual([4, 0]);
  stop();
});

test("seats of one device: nothing is offered when the game is over, or a bot plays", async () => {
  const session = await together();
  const { seats } = tableAt(4, 0);
  const standIn = [{ ...seats[0], level: 2, away: true }, seats[1]];
  const taken = { kind: "taken-over", seat: 0, level: 2 } as AnyEvent;
  await happens(event(4, taken, { now: { view: "", to_move: 0, seats: standIn } as EventMessage["now"] }));
  expect(session.actions.legal).toEqual([]);
  const back = { view: "", to_move: 0, seats } as EventMessage["now"];
  await happens(event(5, { kind: "reclaimed", seat: 0 } as AnyEvent, { now: back }));
  expect(session.actions.legal).toEqual([AB, AC]);
  const result = { shares: [0, 1], reason: "resigned" };
  const over = { view: "", result } as EventMessage["now"];
  await happens(event(6, { kind: "resigned", seat: 0 } as AnyEvent, { now: over }));
  expect(session.actions.legal).toEqual([]);
});

test("a curtain asks for the player to move, whose seat is active from then on", async () => {
  server.seatOf = { ann: 0, bob: 1 };
  device.hold("T", "ann", "objectif");
  device.hold("T", "bob", "objectif");
  server.seen = { bob: tableAt(3, 1, { you: 1, legal: [AB], secrets: true }) };
  const session = open();
  await comes(tableAt(3, 1, { secrets: true }));
  expect([
    session.seats.curtain,
    session.seats.you,
    session.actions.legal.length,
    session.seats.acting,
  ]).toEqual([1, null, 0, 1]);
  session.seats.liftCurtain();
  await settle();
  expect([session.seats.curtain, session.seats.you, session.actions.legal.length]).toEqual([null, 1, 1]);
});

test("a token that holds no seat leaves the seat one has", async () => {
  server.seatOf = { ann: 0 };
  device.hold("T", "ann", "quadrille");
  device.hold("T", "rubbish", "");
  const session = open();
  await comes(tableAt(3, 0));
  expect(server.tokens).toEqual([null, "ann"]);
  await comes(tableAt(3, 0, { you: 0, legal: [AB] }));
  expect([session.seats.isHotSeat, session.seats.you, session.actions.legal.length]).toEqual([false, 0, 1]);
});

test("a page that was left asks for nothing more", async () => {
  vi.useFakeTimers();
  try {
    server.seatOf = { ann: 0, bob: 1 };
    device.hold("T", "ann", "quadrille");
    device.hold("T", "bob", "quadrille");
    const session = open();
    await comes(tableAt(3, 0)); // the server does not answer what Ann sees
    expect(server.looks).toBe(1);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(server.looks).toBe(2);
    session.close();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(server.looks).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});
