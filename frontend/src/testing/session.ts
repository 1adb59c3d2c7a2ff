// A session whose server is the test: its stream, the answers of the API, and what was sent.

import { flushSync } from "svelte";
import { afterEach, beforeEach, vi } from "vitest";
import type {
  Effect,
  HistoryView,
  Choice,
  StepView,
  TableView,
  AnyEvent,
  EventMessage,
} from "$core/http/types.ts";
import type { TableStreamHandlers } from "$core/http/table-stream.ts";
import type { Session } from "$features/table/session.svelte.ts";

const server = vi.hoisted(() => ({
  stream: null as TableStreamHandlers | null,
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
  TableStream: class {
    constructor(_path: string, token: string | null, handlers: TableStreamHandlers) {
      server.stream = handlers;
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

export const { ApiError } = await import("$core/http/api.ts");
export const { device } = await import("$core/device/device.svelte.ts");
export const { fingerprint } = await import("$core/crypto/sha256.ts");
const { Session: TableSession } = await import("$features/table/session.svelte.ts");

export const START = { a: "xx", b: "", c: "" };
export const way = (from: string, to: string): Effect[] =>
  [["move", from, to, "x", 0]] as unknown as Effect[];
export const AB: Choice = { move: "ab", effects: way("a", "b") };
export const BC: Choice = { move: "bc", effects: way("b", "c") };
export const AC: Choice = { move: "ac", effects: way("a", "c") };
export const done = (seat: number, move: Choice): StepView => ({ ...move, seat });

export function tableAt(number: number, toMove: number, parts: Partial<TableView> = {}): TableView {
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

export const pastOf = (...steps: StepView[]): HistoryView =>
  ({ number: 0, start: START, facts: {}, steps, said: [], notices: [] }) as HistoryView;

export { server }; // what is hoisted cannot be exported at once

let session: Session;

export async function settle(): Promise<void> {
  for (let n = 0; n < 40; n++) await Promise.resolve();
  flushSync();
  for (let n = 0; n < 40; n++) await Promise.resolve();
  flushSync();
}

export async function comes(table: TableView): Promise<void> {
  await server.stream!.onMessage({ kind: "table", id: String(table.number), data: JSON.stringify(table) });
  await settle();
}

export async function happens(told: EventMessage): Promise<void> {
  await server.stream!.onMessage({ kind: "event", id: String(told.number), data: JSON.stringify(told) });
  await settle();
}

export const event = (number: number, what: AnyEvent, parts: Partial<EventMessage> = {}): EventMessage =>
  ({ number, at: 0, event: what, now: { view: "" }, ...parts }) as unknown as EventMessage;

export const moved = (
  number: number,
  seat: number,
  move: Choice,
  toMove: number,
  legal?: Choice[],
): EventMessage =>
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

/** A page of the table. */
export function open(): Session {
  return (session = new TableSession("T"));
}

/** Ann at a table of two, whose turn it is. */
export async function alone(): Promise<Session> {
  device.hold("T", "ann", "quadrille");
  open();
  await comes(tableAt(3, 0, { you: 0, legal: [AB, AC] }));
  return session;
}

/** Ann and Bob at one device. */
export async function together(): Promise<Session> {
  server.seatOf = { ann: 0, bob: 1 };
  device.hold("T", "ann", "quadrille");
  device.hold("T", "bob", "quadrille");
  server.seen = { ann: tableAt(3, 0, { you: 0, legal: [AB, AC] }) };
  open();
  await comes(tableAt(3, 0));
  return session;
}

export const shown = () => [
  session.playback.drawing.b,
  session.live,
  session.actions.legal.length,
  session.toMove,
];

export const said = (number: number): EventMessage =>
  ({ number, at: 0, event: { kind: "said", seat: 1, text: "are you there?" } }) as EventMessage;

export const STARTING = { phase: "reveal", seats: [0, 1], deadline: 0 };

/** Two people who have committed to their nonces, before the game. */
export function full(parts: Partial<TableView> = {}): TableView {
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
