import { expect, test } from "vitest";
import type { AnyEvent, EventMessage } from "$core/http/types.ts";
import {
  server,
  START,
  AB,
  BC,
  AC,
  done,
  tableAt,
  pastOf,
  settle,
  comes,
  happens,
  event,
  moved,
  open,
  alone,
  together,
  shown,
  said,
  full,
  device,
  ApiError,
} from "$testing/session.ts";

test("a move of ours is shown at once, and has happened when the server says so", async () => {
  const session = await alone();
  expect(shown()).toEqual(["", true, 2, 0]);
  const moving = session.actions.move("ab");
  await settle();
  expect(shown()).toEqual(["x", false, 0, 0]);
  await moving;
  await happens(moved(4, 0, AB, 1));
  expect(shown()).toEqual(["x", true, 0, 1]);
  expect([session.actions.sending, session.feed.timeline.end, server.histories]).toEqual([null, 1, 1]);
  expect(server.actions).toEqual([["move", "ann", { move: "ab", number: 3 }]]);
});

test("a move that is refused is put back", async () => {
  const session = await alone();
  server.answer = () => Promise.reject(new ApiError(409, "stale", "meanwhile"));
  await expect(session.actions.move("ab")).rejects.toThrow("meanwhile");
  await settle();
  expect(shown()).toEqual(["", true, 2, 0]);
});

test("a move that another one has overtaken gives way to it", async () => {
  const session = await alone();
  let refuse: (error: unknown) => void = () => {};
  server.answer = () => new Promise((_, failed) => (refuse = failed));
  const moving = session.actions.move("ab");
  await settle();
  await happens(moved(4, 0, AC, 1)); // from another tab
  expect([session.playback.drawing.b, session.playback.drawing.c, session.live]).toEqual(["", "x", true]);
  refuse(new ApiError(409, "stale", "meanwhile"));
  await expect(moving).rejects.toThrow("meanwhile");
  await settle();
  expect([session.playback.drawing.c, session.live, session.toMove]).toEqual(["x", true, 1]);
});

test("what is not offered is not sent", async () => {
  const session = await alone();
  await session.actions.move("bc");
  expect(server.actions).toEqual([]);
});

test("a move that is taken back is removed, with a notice", async () => {
  const session = await alone();
  await happens(moved(4, 0, AB, 1));
  await session.actions.undo();
  expect(server.actions).toEqual([["undo", "ann"]]);
  const undone = { kind: "undone", seat: 0, keep: 0 } as AnyEvent;
  const now = { view: "", to_move: 0, legal: [AB], drawing: START, facts: {}, last: [] };
  await happens(event(5, undone, { now: now as unknown as EventMessage["now"] }));
  expect(shown()).toEqual(["", true, 1, 0]);
  expect(session.feed.notices.map(({ kind, after }) => [kind, after])).toEqual([["undone", 0]]);
});

test("who looks back is not torn away, and plays nothing", async () => {
  const session = await alone();
  await happens(moved(4, 0, AB, 1));
  session.playback.lookAt(0);
  await happens(moved(5, 1, BC, 0, [AC]));
  expect([session.playback.at, session.actions.legal.length, session.toMove]).toEqual([0, 0, 0]);
  await session.actions.move("ac");
  expect(server.actions).toEqual([]);
  session.playback.lookAt(2);
  expect([session.live, session.actions.legal.length, session.toMove]).toEqual([true, 1, 0]);
});

test("seats of one device take back and leave together", async () => {
  const session = await together();
  server.seen.bob = tableAt(4, 1, { you: 1, moves: ["ab"], legal: [BC] });
  await happens(moved(4, 0, AB, 1));
  await session.actions.undo();
  await session.actions.leave();
  expect(server.actions).toEqual([
    ["undo", "ann"],
    ["undo/answer", "bob", { granted: true }],
    ["leave", "ann"],
    ["leave", "bob"],
  ]);
  server.answer = () => Promise.reject(new ApiError(409, "over", "it is over"));
  await session.actions.leave(); // the first has lost it for all
  server.answer = () => Promise.reject(new ApiError(409, "away", "a bot plays"));
  await expect(session.actions.leave()).rejects.toThrow("a bot plays");
});

test("chat between the offer and the move leaves both as they are", async () => {
  device.hold("T", "ann", "quadrille");
  const session = open();
  await comes(tableAt(3, 0, { you: 0, legal: [AB, AC], position_since: 3 }));
  await happens(said(4));
  expect(session.actions.legal).toEqual([AB, AC]);
  expect(session.table!.position_since).toBe(3);
  expect(server.asked).toEqual(["GET /tables/{table}/refusals"]); // they are those of the position
  await session.actions.move("ab");
  expect(server.actions).toEqual([["move", "ann", { move: "ab", number: 4 }]]);
});

test("chat does not interrupt a move that is being sent", async () => {
  const session = await alone();
  let stored = () => {};
  server.answer = () => new Promise((done) => (stored = () => done({ number: 5 })));
  const sent = session.actions.move("ab");
  await happens(said(4));
  expect(server.actions).toEqual([["move", "ann", { move: "ab", number: 3 }]]);
  expect(session.actions.sending?.move).toBe("ab");
  await happens(moved(5, 0, AB, 1));
  stored();
  await sent;
  expect(session.feed.timeline.steps.map(({ move }) => move)).toEqual(["ab"]);
});

test("chat does not take back a move that a page without a stream is sending", async () => {
  const session = await alone();
  server.answer = () => new Promise(() => {});
  void session.actions.move("ab");
  await settle();
  await comes(tableAt(4, 0, { you: 0, legal: [AB, AC] }));
  expect([session.actions.sending?.move, session.playback.drawing.b, server.histories]).toEqual([
    "ab",
    "x",
    2,
  ]);
  server.history = pastOf(done(0, AB));
  await comes(tableAt(5, 1, { you: 0, moves: ["ab"], position_since: 5 }));
  expect([session.actions.sending, session.playback.drawing.b]).toEqual([null, "x"]);
});

test("a page that was left while somebody sat down follows nothing", async () => {
  let sit = (_: unknown) => {};
  server.seated = new Promise((seated) => (sit = seated));
  const session = open();
  await comes(full({ you: undefined, commitment: "promise" }));
  const sitting = session.actions.sit(0, "Ann");
  session.close();
  sit({ token: "ann", seat: 0, table: full() });
  await sitting;
  expect(server.tokens).toEqual([null]);
  expect(device.tokensAt("T")).toEqual(["ann"]);
});
