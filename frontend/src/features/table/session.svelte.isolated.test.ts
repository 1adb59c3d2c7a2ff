import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type {
  Effect,
  HistoryView,
  Choice,
  StepView,
  TableView,
  AnyEvent,
  EventMessage,
} from "$core/http/types.ts";
import type { Following } from "$core/http/table-stream.ts";

const server = vi.hoisted(() => ({
  following: null as Following | null,
  tokens: [] as (string | null)[], // that streams were opened with
  history: null as HistoryView | null,
  seatOf: {} as Record<string, number>, // by token
  seen: {} as Record<string, TableView>, // by token
  actions: [] as unknown[],
  answer: (() => Promise.resolve({})) as (action: string, token: string, body: unknown) => Promise<unknown>,
  histories: 0,
  asked: [] as string[],
  seated: null as Promise<unknown> | null, // what somebody who sits down is told
  looks: 0,
}));

vi.mock("$core/http/table-stream.ts", () => ({
  Follower: class {
    constructor(_path: string, token: string | null, following: Following) {
      server.following = following;
      server.tokens.push(token);
    }
    stop(): void {}
  },
}));

vi.mock("$core/a11y/motion.ts", () => ({ reducedMotion: () => true }));

vi.mock("$core/http/api.ts", async (original) => ({
  ...(await original<typeof import("$core/http/api.ts")>()),
  postAction: (_id: string, action: string, token: string, body: unknown) => {
    server.actions.push(body === undefined ? [action, token] : [action, token, body]);
    return server.answer(action, token, body);
  },
  request: (path: string) => {
    server.asked.push(path);
    if (path.includes("/seats/")) return server.seated;
    return Promise.resolve({ number: 0, refusals: [] });
  },
  getHistory: () => {
    server.histories++;
    return Promise.resolve(server.history);
  },
  getMyTables: ([token]: string[]) =>
    Promise.resolve(token! in server.seatOf ? [{ id: "T", you: server.seatOf[token!] }] : []),
  getTable: (_id: string, token: string) => {
    server.looks++;
    return token in server.seen ? Promise.resolve(server.seen[token]) : Promise.reject(new Error("down"));
  },
  sleep: (ms: number) => new Promise<void>((done) => setTimeout(done, ms)),
}));

const { ApiError } = await import("$core/http/api.ts");
const { device } = await import("$core/device/device.svelte.ts");
const { fingerprint } = await import("$core/crypto/sha256.ts");
const { Session } = await import("./session.svelte.ts");

const START = { a: "xx", b: "", c: "" };
const way = (from: string, to: string): Effect[] => [["move", from, to, "x", 0]] as unknown as Effect[];
const AB: Choice = { move: "ab", effects: way("a", "b") };
const BC: Choice = { move: "bc", effects: way("b", "c") };
const AC: Choice = { move: "ac", effects: way("a", "c") };
const done = (seat: number, move: Choice): StepView => ({ ...move, seat });

function tableAt(number: number, toMove: number, parts: Partial<TableView> = {}): TableView {
  return {
    id: "T",
    game: "quadrille",
    number,
    options: {},
    start: "s",
    seats: [
      { name: "Ann", taken: true },
      { name: "Bob", taken: true },
    ],
    to_move: toMove,
    moves: [],
    drawing: START,
    facts: {},
    leaver: "wait",
    resign: "end",
    pace: { pace: "none" },
    ...parts,
  } as unknown as TableView;
}

const pastOf = (...steps: StepView[]): HistoryView =>
  ({ number: 0, start: START, facts: {}, steps, said: [], notices: [] }) as HistoryView;

let session: InstanceType<typeof Session>;

async function settle(): Promise<void> {
  for (let n = 0; n < 40; n++) await Promise.resolve();
  flushSync();
  for (let n = 0; n < 40; n++) await Promise.resolve();
  flushSync();
}

async function comes(table: TableView): Promise<void> {
  await server.following!.heard({ kind: "table", id: String(table.number), data: JSON.stringify(table) });
  await settle();
}

async function happens(told: EventMessage): Promise<void> {
  await server.following!.heard({ kind: "event", id: String(told.number), data: JSON.stringify(told) });
  await settle();
}

const event = (number: number, what: AnyEvent, parts: Partial<EventMessage> = {}): EventMessage =>
  ({ number, at: 0, event: what, now: { view: "" }, ...parts }) as unknown as EventMessage;

const moved = (number: number, seat: number, move: Choice, toMove: number, legal?: Choice[]): EventMessage =>
  event(number, { kind: "moved", seat, move: move.move } as AnyEvent, {
    effects: move.effects,
    now: { view: "", to_move: toMove, legal } as EventMessage["now"],
  });

beforeEach(() => {
  localStorage.clear();
  for (const { token } of device.seats) device.letGo(token);
  Object.assign(server, { tokens: [], seatOf: {}, seen: {}, actions: [], histories: 0, history: pastOf() });
  Object.assign(server, { asked: [], looks: 0 });
  server.answer = () => Promise.resolve({ number: 0 });
});

afterEach(() => session.close());

/** Ann at a table of two, whose turn it is. */
async function alone(): Promise<void> {
  device.hold("T", "ann", "quadrille");
  session = new Session("T");
  await comes(tableAt(3, 0, { you: 0, legal: [AB, AC] }));
}

/** Ann and Bob at one device. */
async function together(): Promise<void> {
  server.seatOf = { ann: 0, bob: 1 };
  device.hold("T", "ann", "quadrille");
  device.hold("T", "bob", "quadrille");
  server.seen = { ann: tableAt(3, 0, { you: 0, legal: [AB, AC] }) };
  session = new Session("T");
  await comes(tableAt(3, 0));
}

const shown = () => [session.projector.drawing.b, session.live, session.legal.length, session.toMove];

test("a move of ours is shown at once, and has happened when the server says so", async () => {
  await alone();
  expect(shown()).toEqual(["", true, 2, 0]);
  const moving = session.move("ab");
  await settle();
  expect(shown()).toEqual(["x", false, 0, 0]);
  await moving;
  await happens(moved(4, 0, AB, 1));
  expect(shown()).toEqual(["x", true, 0, 1]);
  expect([session.sending, session.timeline.end, server.histories]).toEqual([null, 1, 1]);
  expect(server.actions).toEqual([["move", "ann", { move: "ab", number: 3 }]]);
});

test("a move that is refused is put back", async () => {
  await alone();
  server.answer = () => Promise.reject(new ApiError(409, "stale", "meanwhile"));
  await expect(session.move("ab")).rejects.toThrow("meanwhile");
  await settle();
  expect(shown()).toEqual(["", true, 2, 0]);
});

test("a move that another one has overtaken gives way to it", async () => {
  await alone();
  let refuse: (error: unknown) => void = () => {};
  server.answer = () => new Promise((_, failed) => (refuse = failed));
  const moving = session.move("ab");
  await settle();
  await happens(moved(4, 0, AC, 1)); // from another tab
  expect([session.projector.drawing.b, session.projector.drawing.c, session.live]).toEqual(["", "x", true]);
  refuse(new ApiError(409, "stale", "meanwhile"));
  await expect(moving).rejects.toThrow("meanwhile");
  await settle();
  expect([session.projector.drawing.c, session.live, session.toMove]).toEqual(["x", true, 1]);
});

test("what is not offered is not sent", async () => {
  await alone();
  await session.move("bc");
  expect(server.actions).toEqual([]);
});

test("a move that is taken back is gone, and is told", async () => {
  await alone();
  await happens(moved(4, 0, AB, 1));
  await session.undo();
  expect(server.actions).toEqual([["undo", "ann"]]);
  const undone = { kind: "undone", seat: 0, keep: 0 } as AnyEvent;
  const now = { view: "", to_move: 0, legal: [AB], drawing: START, facts: {}, last: [] };
  await happens(event(5, undone, { now: now as unknown as EventMessage["now"] }));
  expect(shown()).toEqual(["", true, 1, 0]);
  expect(session.notices.map(({ kind, after }) => [kind, after])).toEqual([["undone", 0]]);
});

test("after an event was missed nothing is taken in until the whole table comes", async () => {
  await alone();
  await expect(happens(moved(6, 0, AB, 1))).rejects.toThrow();
  server.history = pastOf(done(0, AB), done(1, BC));
  await comes(
    tableAt(7, 0, { you: 0, moves: ["ab", "bc"], legal: [AC], drawing: { a: "x", b: "", c: "x" } }),
  );
  expect([session.timeline.end, server.histories, session.live]).toEqual([2, 2, true]);
  expect(session.projector.drawing.c).toBe("x");
  await happens(moved(8, 0, AC, 1));
  expect([session.timeline.end, server.histories]).toEqual([3, 2]);
});

test("who looks back is not torn away, and plays nothing", async () => {
  await alone();
  await happens(moved(4, 0, AB, 1));
  session.projector.lookAt(0);
  await happens(moved(5, 1, BC, 0, [AC]));
  expect([session.projector.at, session.legal.length, session.toMove]).toEqual([0, 0, 0]);
  await session.move("ac");
  expect(server.actions).toEqual([]);
  session.projector.lookAt(2);
  expect([session.live, session.legal.length, session.toMove]).toEqual([true, 1, 0]);
});

test("a bot that takes over for good is told as such", async () => {
  await alone();
  await happens(event(4, { kind: "taken-over", seat: 1, level: 3, resigned: true } as AnyEvent));
  expect(session.notices).toMatchObject([{ kind: "taken-over", seat: 1, resigned: true, after: 0 }]);
});

test("seats of one device: whoever is to move looks, and acts", async () => {
  await together();
  expect(server.tokens).toEqual([null]); // nothing secret comes by the stream
  expect([session.local, session.you, session.bottom, session.legal.length]).toEqual([[0, 1], 0, 0, 2]);
  await session.move("ab");
  server.seen.bob = tableAt(4, 1, { you: 1, moves: ["ab"], legal: [BC], position_since: 4 });
  await happens(moved(4, 0, AB, 1));
  expect([session.you, session.bottom, session.legal.map(({ move }) => move)]).toEqual([1, 1, ["bc"]]);
  await session.move("bc");
  expect(server.actions).toEqual([
    ["move", "ann", { move: "ab", number: 3 }],
    ["move", "bob", { move: "bc", number: 4 }],
  ]);
});

test("seats of one device: chat leaves the offer as it is, and nothing is asked again", async () => {
  await together();
  expect([session.legal, server.looks]).toEqual([[AB, AC], 1]);
  let offers = 0;
  const stop = $effect.root(() => {
    $effect(() => {
      if (session.legal.length === 0) offers++;
    });
  });
  await happens(said(4));
  expect([session.legal, server.looks, offers]).toEqual([[AB, AC], 1, 0]);
  expect([session.table?.number, session.table?.you]).toEqual([4, 0]);
  stop();
});

test("seats of one device: nothing is offered when the game is over, or a bot plays", async () => {
  await together();
  const { seats } = tableAt(4, 0);
  const standIn = [{ ...seats[0], level: 2, away: true }, seats[1]];
  const taken = { kind: "taken-over", seat: 0, level: 2 } as AnyEvent;
  await happens(event(4, taken, { now: { view: "", to_move: 0, seats: standIn } as EventMessage["now"] }));
  expect(session.legal).toEqual([]);
  const back = { view: "", to_move: 0, seats } as EventMessage["now"];
  await happens(event(5, { kind: "reclaimed", seat: 0 } as AnyEvent, { now: back }));
  expect(session.legal).toEqual([AB, AC]);
  const result = { shares: [0, 1], reason: "resigned" };
  const over = { view: "", result } as EventMessage["now"];
  await happens(event(6, { kind: "resigned", seat: 0 } as AnyEvent, { now: over }));
  expect(session.legal).toEqual([]);
});

test("seats of one device take back and leave together", async () => {
  await together();
  server.seen.bob = tableAt(4, 1, { you: 1, moves: ["ab"], legal: [BC] });
  await happens(moved(4, 0, AB, 1));
  await session.undo();
  await session.leave();
  expect(server.actions).toEqual([
    ["undo", "ann"],
    ["undo/answer", "bob", { granted: true }],
    ["leave", "ann"],
    ["leave", "bob"],
  ]);
  server.answer = () => Promise.reject(new ApiError(409, "over", "it is over"));
  await session.leave(); // the first has lost it for all
  server.answer = () => Promise.reject(new ApiError(409, "away", "a bot plays"));
  await expect(session.leave()).rejects.toThrow("a bot plays");
});

test("a curtain asks for whoever is to move, who acts from then on", async () => {
  server.seatOf = { ann: 0, bob: 1 };
  device.hold("T", "ann", "objectif");
  device.hold("T", "bob", "objectif");
  server.seen = { bob: tableAt(3, 1, { you: 1, legal: [AB], secrets: true }) };
  session = new Session("T");
  await comes(tableAt(3, 1, { secrets: true }));
  expect([session.curtain, session.you, session.legal.length, session.acting]).toEqual([1, null, 0, 1]);
  session.lift();
  await settle();
  expect([session.curtain, session.you, session.legal.length]).toEqual([null, 1, 1]);
});

test("a token that holds no seat leaves the seat one has", async () => {
  server.seatOf = { ann: 0 };
  device.hold("T", "ann", "quadrille");
  device.hold("T", "rubbish", "");
  session = new Session("T");
  await comes(tableAt(3, 0));
  expect(server.tokens).toEqual([null, "ann"]);
  await comes(tableAt(3, 0, { you: 0, legal: [AB] }));
  expect([session.hotSeat, session.you, session.legal.length]).toEqual([false, 0, 1]);
});

test("a table that was closed before its game is over: nothing is waited for in the background", async () => {
  device.hold("T", "ann", "quadrille");
  session = new Session("T");
  await comes(tableAt(1, 0, { you: 0, start: undefined, to_move: undefined }));
  const seat = () => device.seats.find(({ token }) => token === "ann");
  expect([server.following!.keeps!(), seat()?.over]).toEqual([true, undefined]);
  await happens(event(2, { kind: "expired" }, { now: { expired: true } }));
  expect(session.table?.expired).toBe(true);
  expect([server.following!.keeps!(), seat()?.over]).toEqual([false, true]);
});

const said = (number: number): EventMessage =>
  ({ number, at: 0, event: { kind: "said", seat: 1, text: "are you there?" } }) as EventMessage;

test("chat between the offer and the move leaves both as they are", async () => {
  device.hold("T", "ann", "quadrille");
  session = new Session("T");
  await comes(tableAt(3, 0, { you: 0, legal: [AB, AC], position_since: 3 }));
  await happens(said(4));
  expect(session.legal).toEqual([AB, AC]);
  expect(session.table!.position_since).toBe(3);
  expect(server.asked).toEqual(["GET /tables/{table}/refusals"]); // they are those of the position
  await session.move("ab");
  expect(server.actions).toEqual([["move", "ann", { move: "ab", number: 4 }]]);
});

test("chat does not interrupt a move that is being sent", async () => {
  await alone();
  let stored = () => {};
  server.answer = () => new Promise((done) => (stored = () => done({ number: 5 })));
  const sent = session.move("ab");
  await happens(said(4));
  expect(server.actions).toEqual([["move", "ann", { move: "ab", number: 3 }]]);
  expect(session.sending?.move).toBe("ab");
  await happens(moved(5, 0, AB, 1));
  stored();
  await sent;
  expect(session.timeline.steps.map(({ move }) => move)).toEqual(["ab"]);
});

test("chat does not take back a move that a page without a stream is sending", async () => {
  await alone();
  server.answer = () => new Promise(() => {});
  void session.move("ab");
  await settle();
  await comes(tableAt(4, 0, { you: 0, legal: [AB, AC] }));
  expect([session.sending?.move, session.projector.drawing.b, server.histories]).toEqual(["ab", "x", 2]);
  server.history = pastOf(done(0, AB));
  await comes(tableAt(5, 1, { you: 0, moves: ["ab"], position_since: 5 }));
  expect([session.sending, session.projector.drawing.b]).toEqual([null, "x"]);
});

test("a page that was left while somebody sat down follows nothing", async () => {
  let sit = (_: unknown) => {};
  server.seated = new Promise((seated) => (sit = seated));
  session = new Session("T");
  await comes(full({ you: undefined, commitment: "promise" }));
  const sitting = session.sit(0, "Ann");
  session.close();
  sit({ token: "ann", seat: 0, table: full() });
  await sitting;
  expect(server.tokens).toEqual([null]);
  expect(device.tokensAt("T")).toEqual(["ann"]);
});

test("a page that was left asks for nothing more", async () => {
  vi.useFakeTimers();
  try {
    server.seatOf = { ann: 0, bob: 1 };
    device.hold("T", "ann", "quadrille");
    device.hold("T", "bob", "quadrille");
    session = new Session("T");
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

// ---- Before the game

const STARTING = { phase: "reveal", seats: [0, 1], deadline: 0 };

function full(parts: Partial<TableView> = {}): TableView {
  const seats = [
    { name: "Ann", taken: true, commitment: fingerprint("a1") },
    { name: "Bob", taken: true, commitment: fingerprint("b2") },
  ];
  return tableAt(2, 0, {
    start: undefined,
    to_move: undefined,
    seats,
    you: 0,
    ...parts,
  } as Partial<TableView>);
}

test("a nonce is revealed as soon as every seat has committed", async () => {
  device.hold("T", "ann", "quadrille", { nonce: "a1" });
  session = new Session("T");
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
  session = new Session("T");
  server.answer = () => Promise.reject(new ApiError(0, "no-answer", ""));
  server.following!.state(true);
  await comes(full({ starting: STARTING } as Partial<TableView>));
  server.following!.state(false);
  expect(server.actions).toHaveLength(1);
  server.following!.state(true);
  await settle();
  expect(server.actions).toEqual([1, 2].map(() => ["reveal", "ann", { nonce: "a1" }]));
});

test("an older answer does not replace a newer refusal", async () => {
  device.hold("T", "ann", "quadrille", { promise: "promise", nonce: "a1" });
  session = new Session("T");
  let answer = () => {};
  server.answer = () => new Promise((done) => (answer = () => done({})));
  await comes(full({ commitment: "promise", starting: STARTING } as Partial<TableView>));
  await comes(full({ commitment: "another", starting: STARTING } as Partial<TableView>));
  expect(session.startRefusal).toBe("other-promise");
  answer();
  await settle();
  expect(session.startRefusal).toBe("other-promise");
});

const [ANN, BOB] = full().seats;
const freed = (number: number, seat: number, seats: unknown[]): EventMessage =>
  event(number, { kind: "unrevealed", seat } as AnyEvent, {
    now: { view: "", seats } as EventMessage["now"],
  });
const lostBy = (number: number, seat: number, name: string) =>
  ({ number, at: 0, after: 0, kind: "unrevealed", seat, name }) as HistoryView["notices"][number];
const gone = (token: string) => device.seats.find((seat) => seat.token === token)?.gone;

test("a freed seat is reported to its player", async () => {
  device.hold("T", "ann", "quadrille", { nonce: "a1" });
  session = new Session("T");
  await comes(full());
  await happens(freed(3, 0, [{}, BOB]));
  expect([session.freed, gone("ann"), server.tokens]).toEqual([true, true, ["ann", null]]);
  await comes(full({ number: 3, you: undefined, seats: [{}, BOB] } as Partial<TableView>));
  expect([session.freed, session.local, gone("ann")]).toEqual([true, [], true]); // a spectator's seat stays gone
});

test("seats that were freed are reported, as long as they are free", async () => {
  device.hold("T", "ann", "quadrille", { nonce: "a1" });
  session = new Session("T");
  const eve = { name: "Eve", taken: true };
  await comes(full({ seats: [ANN, BOB, eve] } as Partial<TableView>));
  await happens(freed(3, 1, [ANN, {}, eve]));
  await happens(freed(4, 2, [ANN, {}, {}]));
  expect(session.lost.map(({ name }) => name)).toEqual(["Bob", "Eve"]);
  const satDown = (seats: unknown[]) => ({ view: "", seats }) as EventMessage["now"];
  const sat = (seat: number) => ({ kind: "sat", seat, name: "" }) as unknown as AnyEvent;
  await happens(event(5, sat(2), { now: satDown([ANN, {}, { name: "Dan", taken: true }]) }));
  expect(session.lost.map(({ name }) => name)).toEqual(["Bob"]);
  await happens(event(6, { kind: "stood", seat: 2 } as AnyEvent, { now: satDown([ANN, {}, {}]) }));
  await happens(event(7, sat(2), { now: satDown([ANN, {}, BOB]) })); // on another seat
  expect([session.lost, session.freed]).toEqual([[], false]);
});

test("one of several seats of a device that is freed is reported", async () => {
  server.seatOf = { ann: 0, bob: 1 };
  device.hold("T", "ann", "quadrille", { nonce: "a1" });
  device.hold("T", "bob", "quadrille", { nonce: "b2" });
  session = new Session("T");
  await comes(full({ you: undefined }));
  await happens(freed(3, 1, [ANN, {}]));
  expect(server.tokens).toEqual([null, "ann"]);
  await comes(full({ number: 3, seats: [ANN, {}] } as Partial<TableView>));
  expect([session.local, session.lost.map(({ name }) => name)]).toEqual([[0], ["Bob"]]);
});

test("of several seats that are freed at once, ours is noticed", async () => {
  server.seatOf = { ann: 0, bob: 1 };
  device.hold("T", "ann", "quadrille", { nonce: "a1" });
  device.hold("T", "bob", "quadrille", { nonce: "b2" });
  session = new Session("T");
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
  session = new Session("T");
  await comes(full({ you: undefined }));
  server.seatOf = { ann: 0 };
  await comes(full({ you: undefined, number: 4 }));
  expect([server.tokens, gone("bob")]).toEqual([[null, "ann"], true]);
});

test("a seat that was left or erased on another device was not freed", async () => {
  device.hold("T", "ann", "quadrille", { nonce: "a1" }, { seat: 0, since: 1 });
  server.history = { ...pastOf(), notices: [lostBy(4, 1, "Bob")] };
  session = new Session("T");
  server.following!.unseated!(new ApiError(401, "no-token", ""));
  await comes(full({ number: 5, you: undefined, seats: [{}, {}] } as Partial<TableView>));
  expect([session.freed, session.lost.length, gone("ann")]).toEqual([false, 1, true]);
});

test("who comes back later is told that the seat was freed", async () => {
  device.hold("T", "ann", "quadrille", { nonce: "a1" }, { seat: 0, since: 1 });
  server.history = { ...pastOf(), number: 5, notices: [lostBy(4, 0, "Ann")] };
  session = new Session("T");
  server.following!.unseated!(new ApiError(401, "no-token", ""));
  await comes(full({ number: 5, you: undefined, seats: [{}, BOB] } as Partial<TableView>));
  expect([session.freed, server.histories]).toEqual([true, 1]);
  await comes(full({ number: 5, you: undefined, seats: [{}, BOB] } as Partial<TableView>));
  expect(server.histories).toBe(1);
});

test("before anything can have happened no history is asked for", async () => {
  session = new Session("T");
  await comes(full({ number: 1, you: undefined }));
  expect(server.histories).toBe(0);
});
