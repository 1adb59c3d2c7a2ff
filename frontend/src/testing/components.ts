// What component tests share: a server that answers as a test says, a table that it streams, and a clean device.

import { cleanup, configure } from "@testing-library/svelte";
import { vi } from "vitest";
import { device } from "$core/device/device.svelte.ts";
import { TABLE } from "./table.ts";
import { shelf } from "$core/tables/game-cards.svelte.ts";
import type { Effect, GameCard, HistoryView, TableView } from "$core/http/types.ts";
import { words, type Language } from "$core/i18n/words.svelte.ts";
import { Session } from "$features/table/session.svelte.ts";

const PATIENCE = 10_000; // ms, for busy machines
configure({ asyncUtilTimeout: PATIENCE });

export const ID = "T"; // of the table
export const TOKEN = "ann-token"; // of the seat that `takeSeat` gives to this device

const LEVELS = ["Pebble", "Brick", "Mason"].map((en, at) => ({
  level: at + 1,
  names: { en, fr: ["Caillou", "Brique", "Maçon"][at]! },
}));
export const CARD = {
  name: "quadrille",
  titles: { en: "Quadrille", fr: "Quadrille" },
  players: [2],
  levels: LEVELS,
  paragraphs: { occupied: "step" },
} as unknown as GameCard;

export interface FakeRequest {
  route: string; // as "POST /tables/T/chat"
  token: string | undefined;
  body: unknown;
}
type Answer = (request: FakeRequest) => unknown; // JSON, a Response, or a promise of one

/** An answer by which the server refuses something. */
export function refusal(status: number, code: string, detail: object = {}): Response {
  return Response.json({ error: { code, message: code, detail } }, { status });
}

export class FakeServer {
  readonly requests: FakeRequest[] = [];
  online = true;
  table: TableView = TABLE; // what a stream starts with
  present: number[] | null = null; // the seats whose people have a connection, if the stream says so
  history: HistoryView = {
    number: TABLE.number,
    start: TABLE.drawing!,
    facts: {},
    steps: [],
    said: [],
    notices: [],
  };
  private readonly answers = new Map<string, Answer>();
  private readonly streams = new Set<ReadableStreamDefaultController<Uint8Array>>();

  constructor() {
    vi.stubGlobal("fetch", (path: string, init: RequestInit = {}) => this.fetch(path, init));
    this.on("GET /games", () => ({ games: [CARD], thanks: {} }));
    this.on("GET /server", () => ({ games: [], addresses: [], local: false, mail: false }));
    this.on("GET /tables/mine", () => ({ tables: [] }));
    this.on(`GET /tables/${ID}`, () => this.table);
    this.on(`GET /tables/${ID}/history`, () => this.history);
    this.on(`GET /tables/${ID}/refusals`, () => ({ number: 0, refusals: [] }));
  }

  on(route: string, answer: Answer): void {
    this.answers.set(route, answer);
  }

  /** Answer a route as if nothing had been said about it. */
  off(route: string): void {
    this.answers.delete(route);
  }

  /** The requests to a route, the first one first. */
  sent(route: string): FakeRequest[] {
    return this.requests.filter((request) => request.route === route);
  }

  /** Change the table, and stream it. */
  update(parts: Partial<TableView>): void {
    const number = this.table.number + 1;
    this.table = { ...this.table, number, ...parts };
    this.stream("table", number, this.table);
  }

  /** Somebody writes in the chat. */
  say(seat: number, text: string): void {
    const number = this.table.number + 1;
    this.table = { ...this.table, number };
    this.stream("event", number, { number, at: 0, event: { kind: "said", seat, text } });
  }

  /** Somebody plays a move; then another seat is to move, or nobody. */
  play(seat: number, move: string, effects: Effect[], now: Partial<TableView>): void {
    const number = this.table.number + 1;
    const moves = [...(this.table.moves ?? []), move];
    this.table = { ...this.table, number, moves, position_since: number, legal: undefined, ...now };
    this.stream("event", number, { number, at: 0, event: { kind: "moved", seat, move }, effects, now });
  }

  /** Nobody is reached any more: streams end, and requests fail. */
  disconnect(): void {
    this.online = false;
    for (const stream of this.streams) stream.error(new TypeError("network error"));
    this.streams.clear();
  }

  /** The server is reached again, and the browser notices. */
  reconnect(): void {
    this.online = true;
    dispatchEvent(new Event("online"));
  }

  private stream(kind: string, id: number, data: unknown): void {
    for (const stream of this.streams) stream.enqueue(encoded(kind, id, data));
  }

  private async fetch(
    path: string,
    { method = "GET", headers, body, signal }: RequestInit,
  ): Promise<Response> {
    if (!this.online) throw new TypeError("Failed to fetch");
    const token = (headers as Record<string, string> | undefined)?.Authorization?.slice("Bearer ".length);
    const route = `${method} ${path.slice("/api".length)}`;
    const request = { route, token, body: body === undefined ? undefined : JSON.parse(body as string) };
    this.requests.push(request);
    const answer = this.answers.get(route);
    if (!answer && route === `GET /tables/${ID}/events`) return this.connect(signal!);
    if (!answer) return refusal(404, "no-such-path");
    const answered = await answer(request);
    return answered instanceof Response ? answered : Response.json(answered ?? {});
  }

  private connect(signal: AbortSignal): Response {
    const body = new ReadableStream<Uint8Array>({
      start: (stream) => {
        stream.enqueue(encoded("table", this.table.number, this.table));
        if (this.present) stream.enqueue(encoded("present", this.table.number, { seats: this.present }));
        this.streams.add(stream);
        signal.addEventListener("abort", () => this.streams.delete(stream) && stream.error(signal.reason));
      },
    });
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  }
}

const encoded = (kind: string, id: number, data: unknown) =>
  new TextEncoder().encode(`event: ${kind}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`);

/** Before each test: a new server, and a device that nobody has used. */
export async function setUp(): Promise<FakeServer> {
  const server = new FakeServer();
  localStorage.clear();
  reloadDevice();
  shelf.cards = [CARD];
  await speak("en");
  await words.need("quadrille");
  return server;
}

const sessions: Session[] = [];

/** After each test. */
export function tearDown(): void {
  cleanup();
  for (const session of sessions.splice(0)) session.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
}

/** Read everything from storage again, as after a reload. */
export function reloadDevice(): void {
  dispatchEvent(new StorageEvent("storage", { key: null }));
}

export async function speak(language: Language): Promise<void> {
  device.settings.language = language;
  await words.load();
}

/** This device holds Ann’s seat, the first. */
export function takeSeat(): void {
  device.hold(ID, TOKEN, "quadrille");
}

/** A session of the server’s table, once the table has arrived. */
export async function openSession(): Promise<Session> {
  const session = new Session(ID);
  sessions.push(session);
  const arrived = () => {
    if (session.table === null) throw new Error("the table has not arrived");
  };
  await vi.waitFor(arrived, { timeout: PATIENCE });
  return session;
}

/** Props of a component at this session’s table: the newest one, also while it is loaded anew. */
export function propsFor<T extends object>(session: Session, others: T) {
  let last = session.table!;
  return {
    ...others,
    session,
    get table(): TableView {
      return (last = session.table ?? last);
    },
  };
}

/** What an element says, with its spaces as they are shown. */
export const textOf = (element: Element) => element.textContent!.replace(/\s+/g, " ").trim();
