import { expect, test } from "vitest";
import type { AnyEvent, Effect } from "$core/http/types.ts";
import {
  server,
  AB,
  BC,
  AC,
  done,
  tableAt,
  pastOf,
  comes,
  happens,
  event,
  moved,
  open,
  alone,
  full,
  device,
} from "$testing/session.ts";

test("after an event was missed nothing is taken in until the whole table comes", async () => {
  const session = await alone();
  await expect(happens(moved(6, 0, AB, 1))).rejects.toThrow();
  server.history = pastOf(done(0, AB), done(1, BC));
  await comes(
    tableAt(7, 0, { you: 0, moves: ["ab", "bc"], legal: [AC], drawing: { a: "x", b: "", c: "x" } }),
  );
  expect([session.feed.timeline.end, server.histories, session.live]).toEqual([2, 2, true]);
  expect(session.playback.drawing.c).toBe("x");
  await happens(moved(8, 0, AC, 1));
  expect([session.feed.timeline.end, server.histories]).toEqual([3, 2]);
});

test("a notice says that a bot has taken over for good", async () => {
  const session = await alone();
  await happens(event(4, { kind: "taken-over", seat: 1, level: 3, resigned: true } as AnyEvent));
  expect(session.feed.notices).toMatchObject([{ kind: "taken-over", seat: 1, resigned: true, after: 0 }]);
});

test("a table that was closed before its game is over: nothing is waited for in the background", async () => {
  device.hold("T", "ann", "quadrille");
  const session = open();
  await comes(tableAt(1, 0, { you: 0, start: undefined, to_move: undefined }));
  const seat = () => device.seats.find(({ token }) => token === "ann");
  expect([server.stream!.staysOpenHidden!(), seat()?.over]).toEqual([true, undefined]);
  await happens(event(2, { kind: "expired" }, { now: { expired: true } }));
  expect(session.table?.expired).toBe(true);
  expect([server.stream!.staysOpenHidden!(), seat()?.over]).toEqual([false, true]);
});

test("before anything can have happened no history is asked for", async () => {
  open();
  await comes(full({ number: 1, you: undefined }));
  expect(server.histories).toBe(0);
});

test("a move whose effects do not fit is not shown: the whole history is loaded", async () => {
  const session = await alone();
  const wrong = [["move", "b", "c", "x", 0]] as unknown as Effect[];
  await expect(happens(moved(4, 0, { move: "ab", effects: wrong }, 1))).rejects.toThrow("do not fit");
  expect(session.feed.timeline.end).toBe(0);
  server.history = pastOf(done(0, AB));
  await comes(tableAt(4, 1, { you: 0, moves: ["ab"], position_since: 4 }));
  expect([session.feed.timeline.end, session.playback.drawing.b, session.live]).toEqual([1, "x", true]);
});

test("a step that was taken back comes without effects, and is gone", async () => {
  const session = await alone();
  await happens(event(4, { kind: "moved", seat: 0, move: "ab" } as AnyEvent, { now: undefined }));
  await happens(event(5, { kind: "undone", seat: 0, keep: 0 } as AnyEvent, { now: undefined }));
  await happens(moved(6, 0, AC, 1));
  expect(session.feed.timeline.steps.map(({ move }) => move)).toEqual(["ac"]);
  expect([session.playback.drawing, server.histories]).toEqual([{ a: "x", b: "", c: "x" }, 1]);
});
