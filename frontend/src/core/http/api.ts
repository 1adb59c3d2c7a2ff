// Requests to the server. What it refuses is thrown as an ApiError with a stable code.

import {
  addressOf,
  type Answer,
  type Body,
  type Deed,
  type Last,
  type Request,
  type Route,
} from "./routes.ts";
import type { HistoryView, TableOfMine } from "./types.ts";

export class ApiError extends Error {
  constructor(
    readonly status: number, // 0: the server did not answer
    readonly code: string,
    message: string,
    readonly detail: {
      rule?: string;
      parameters?: Record<string, string | number>;
      game?: string;
      seconds?: number;
      number?: number; // of an event
      offence?: string;
      at?: number;
    } = {},
    readonly retryAfter = 0, // seconds
  ) {
    super(message);
  }
}

interface Trying {
  key?: string; // with one, a deed is done once however often it is asked for
  timeout?: number; // ms a single try may take
  patience?: number; // ms after which it is not tried again
  onTry?: (trouble: ApiError, tried: number) => void; // it did not succeed yet, and is tried again
}

interface Asking extends Trying {
  token?: string | null;
  headers?: Record<string, string>;
  cache?: RequestCache;
}

/** What is told with a request: what its route needs, and how it is sent. */
export type Asked<R extends Route> = Request<R> & Asking;
type AnyAsked = Asking & Parameters<typeof addressOf>[1] & { body?: unknown };

const TIMEOUT = 10_000;
const PATIENCE = { reading: 15_000, acting: 60_000 };
const LONGEST_WAIT = 4_000;

/** Whether trying again may help: nobody refused anything. */
const passing = (trouble: ApiError) => [0, 429].includes(trouble.status) || trouble.status >= 500;

/** Ask the server, and again where that cannot do harm. Every try has the same key. */
export function ask<R extends Route>(route: R, ...[asked]: Last<Asked<R>>): Promise<Answer<R>> {
  return tried(route, asked as AnyAsked) as Promise<Answer<R>>;
}

/** Ask a single time: for those who ask again by themselves. */
export function once<R extends Route>(route: R, ...[asked]: Last<Asked<R>>): Promise<Answer<R>> {
  return triedOnce(route, asked as AnyAsked) as Promise<Answer<R>>;
}

/** A response whose body is still to be read; ApiError if there is none. Who gives a signal minds the time. */
export function reach<R extends Route>(route: R, asked: Asked<R>, signal?: AbortSignal): Promise<Response> {
  return sent(route, asked as AnyAsked, signal);
}

async function tried(route: Route, asked: AnyAsked = {}): Promise<unknown> {
  const reading = route.startsWith("GET ");
  const usual = asked.key !== undefined ? PATIENCE.acting : reading ? PATIENCE.reading : 0;
  const end = Date.now() + (asked.patience ?? usual);
  for (let tried = 1; ; tried++) {
    try {
      return await triedOnce(route, asked);
    } catch (error) {
      if (!(error instanceof ApiError) || !passing(error)) throw error;
      const wait = Math.max(error.retryAfter * 1000, backOff(tried, 300, LONGEST_WAIT));
      if (Date.now() + wait > end) throw error;
      asked.onTry?.(error, tried);
      await sleep(wait);
    }
  }
}

async function triedOnce(route: Route, asked?: AnyAsked): Promise<unknown> {
  const response = await sent(route, asked);
  const text = await textOf(response);
  if (!response.ok) throw troubleOf(response, text);
  try {
    return response.status === 204 ? undefined : JSON.parse(text); // some deeds have nothing to tell
  } catch {
    throw noAnswer(); // somebody else's: a proxy's page, or half an answer
  }
}

async function sent(route: Route, asked: AnyAsked = {}, signal?: AbortSignal): Promise<Response> {
  const [method, address] = addressOf(route, asked);
  const headers: Record<string, string> = { ...asked.headers };
  if (asked.token) headers["Authorization"] = `Bearer ${asked.token}`;
  if (asked.key) headers["Idempotency-Key"] = asked.key;
  if (asked.body !== undefined) headers["Content-Type"] = "application/json";
  try {
    return await fetch(address, {
      method,
      headers,
      cache: asked.cache,
      body: asked.body === undefined ? undefined : JSON.stringify(asked.body),
      signal: signal ?? AbortSignal.timeout(asked.timeout ?? TIMEOUT),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw noAnswer();
  }
}

/** The whole body; ApiError if it does not come. */
export async function textOf(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch {
    throw noAnswer();
  }
}

/** What the server refuses, or that it was not the server that answered: then nothing has been refused. */
export function troubleOf(response: Response, text: string): ApiError {
  const retry = Number(response.headers.get("Retry-After")) || 0;
  const { status } = response;
  try {
    const { code, message, detail } = JSON.parse(text).error;
    const ours = typeof code === "string" && (status < 500 || status === 503);
    return ours ? new ApiError(status, code, message, detail, retry) : noAnswer(retry);
  } catch {
    return noAnswer(retry);
  }
}

function noAnswer(retryAfter = 0): ApiError {
  return new ApiError(0, "no-answer", "the server does not answer", {}, retryAfter);
}

/** How long to wait before another try, in ms: longer and longer, and not everybody as long. */
export function backOff(tried: number, shortest: number, longest: number): number {
  return Math.min(longest, shortest * 2 ** tried) * (0.5 + Math.random() / 2);
}

export const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** A random text: a key to ask once, or somebody's part in a table's luck. */
export function draw(bytes = 16): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) =>
    b.toString(16).padStart(2, "0"),
  ).join("");
}

export const serverInfo = () => ask("GET /server");
export const see = (table: string, token: string | null) =>
  ask("GET /tables/{table}", { path: { table }, token });
export const historyOf = (table: string, token: string | null) =>
  allPages((first) => ask("GET /tables/{table}/history", { path: { table }, query: { first }, token }));

/** A whole history from its pages. If something happens at the table meanwhile, start over. */
export async function allPages(page: (first?: number) => Promise<HistoryView>): Promise<HistoryView> {
  const { next, ...history } = await page();
  const steps = [...history.steps];
  for (let first = next ?? null; first !== null;) {
    const more = await page(first);
    if (more.number !== history.number) return allPages(page);
    steps.push(...more.steps);
    first = more.next ?? null;
  }
  return { ...history, steps };
}

const MOST_TOKENS = 50; // in one request

/** The tables where some tokens hold seats. */
export async function mine(tokens: string[], trying: Trying = {}): Promise<TableOfMine[]> {
  const found: TableOfMine[] = [];
  for (let at = 0; at < tokens.length; at += MOST_TOKENS) {
    const headers = { "Benben-Tokens": tokens.slice(at, at + MOST_TOKENS).join(" ") };
    const { tables } = await ask("GET /tables/mine", { headers, ...trying });
    found.push(...tables);
  }
  return found;
}

/** Do something for a seat, once. */
export function act<D extends Deed>(
  table: string,
  deed: D,
  token: string,
  ...[body, trying]: Doing<D>
): Promise<Answer<Doable<D>>> {
  const asked = { path: { table }, token, body, ...trying, key: trying?.key ?? draw() };
  return tried(`POST /tables/{table}/${deed}`, asked) as Promise<Answer<Doable<D>>>;
}

type Doable<D extends Deed> = `POST /tables/{table}/${D}`;
/** What a deed says, if it says something, and how it is sent. */
export type Doing<D extends Deed> =
  undefined extends Body<Doable<D>>
    ? [body?: Body<Doable<D>>, trying?: Trying]
    : [body: Body<Doable<D>>, trying?: Trying];
