// Requests to the server. What it refuses is thrown as an ApiError with a stable code.

import {
  addressOf,
  type Action,
  type AddressParts,
  type Answer,
  type Body,
  type OptionalIfEmpty,
  type Parameters,
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

interface RetryOptions {
  key?: string; // with one, an action is done once however often it is sent
  timeout?: number; // ms of a single attempt
  patience?: number; // ms after which there is no further attempt
  onRetry?: (error: ApiError, attempt: number) => void; // an attempt has failed, and another one follows
}

interface TransportOptions extends RetryOptions {
  token?: string | null;
  headers?: Record<string, string>;
  cache?: RequestCache;
}

/** The parameters of a route, and how the request is sent. */
export type RequestOptions<R extends Route> = Parameters<R> & TransportOptions;
type AnyOptions = TransportOptions & AddressParts & { body?: unknown };

const TIMEOUT = 10_000;
const PATIENCE = { reading: 15_000, acting: 60_000 };
const LONGEST_WAIT = 4_000;

/** Whether another attempt may help: the server has refused nothing. */
const isTransient = ({ status }: ApiError) => status === 0 || status === 429 || status >= 500;

/** Send a request; again after transient errors, where that is safe. All attempts have the same key. */
export function request<R extends Route>(
  route: R,
  ...[options]: OptionalIfEmpty<RequestOptions<R>>
): Promise<Answer<R>> {
  return sendWithRetry(route, options as AnyOptions) as Promise<Answer<R>>;
}

/** Send a request without retries. */
export function requestOnce<R extends Route>(
  route: R,
  ...[options]: OptionalIfEmpty<RequestOptions<R>>
): Promise<Answer<R>> {
  return send(route, options as AnyOptions) as Promise<Answer<R>>;
}

/** A response whose body is not read yet; ApiError if there is none. With a signal the caller handles the timeout. */
export function openResponse<R extends Route>(
  route: R,
  options: RequestOptions<R>,
  signal?: AbortSignal,
): Promise<Response> {
  return open(route, options as AnyOptions, signal);
}

async function sendWithRetry(route: Route, options: AnyOptions = {}): Promise<unknown> {
  const isReading = route.startsWith("GET ");
  const usual = options.key !== undefined ? PATIENCE.acting : isReading ? PATIENCE.reading : 0;
  const end = Date.now() + (options.patience ?? usual);
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(route, options);
    } catch (error) {
      if (!(error instanceof ApiError) || !isTransient(error)) throw error;
      const wait = Math.max(error.retryAfter * 1000, backOff(attempt, 300, LONGEST_WAIT));
      if (Date.now() + wait > end) throw error;
      options.onRetry?.(error, attempt);
      await sleep(wait);
    }
  }
}

async function send(route: Route, options?: AnyOptions): Promise<unknown> {
  const response = await open(route, options);
  const text = await textOf(response);
  if (!response.ok) throw apiErrorOf(response, text);
  try {
    return response.status === 204 ? undefined : JSON.parse(text);
  } catch {
    throw noAnswer(); // not the server's: a proxy's page, or half an answer
  }
}

async function open(route: Route, options: AnyOptions = {}, signal?: AbortSignal): Promise<Response> {
  const [method, address] = addressOf(route, options);
  const headers: Record<string, string> = { ...options.headers };
  if (options.token) headers["Authorization"] = `Bearer ${options.token}`;
  if (options.key) headers["Idempotency-Key"] = options.key;
  if (options.body !== undefined) headers["Content-Type"] = "application/json";
  try {
    return await fetch(address, {
      method,
      headers,
      cache: options.cache,
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: signal ?? AbortSignal.timeout(options.timeout ?? TIMEOUT),
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

/** The error of a response. Only the server itself refuses something: a proxy's error means that it did not answer. */
export function apiErrorOf(response: Response, text: string): ApiError {
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

/** How long to wait before the next attempt, in ms: exponential, with jitter. */
export function backOff(attempt: number, shortest: number, longest: number): number {
  return Math.min(longest, shortest * 2 ** attempt) * (0.5 + Math.random() / 2);
}

export const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** For idempotency keys and nonces. */
export function randomHex(bytes = 16): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) =>
    b.toString(16).padStart(2, "0"),
  ).join("");
}

export const getServerInfo = () => request("GET /server");
export const getTable = (table: string, token: string | null) =>
  request("GET /tables/{table}", { path: { table }, token });
export const getHistory = (table: string, token: string | null) =>
  allPages((first) => request("GET /tables/{table}/history", { path: { table }, query: { first }, token }));

/** A whole history from its pages; from the first one again if something happens at the table meanwhile. */
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

/** The tables where these tokens hold seats. */
export async function getMyTables(tokens: string[], options: RetryOptions = {}): Promise<TableOfMine[]> {
  const found: TableOfMine[] = [];
  for (let at = 0; at < tokens.length; at += MOST_TOKENS) {
    const headers = { "Benben-Tokens": tokens.slice(at, at + MOST_TOKENS).join(" ") };
    const { tables } = await request("GET /tables/mine", { headers, ...options });
    found.push(...tables);
  }
  return found;
}

/** Post an action of a seat. It is done once, however often it is sent. */
export function postAction<A extends Action>(
  table: string,
  action: A,
  token: string,
  ...[body, options]: ActionArguments<A>
): Promise<Answer<ActionRoute<A>>> {
  const all = { path: { table }, token, body, ...options, key: options?.key ?? randomHex() };
  return sendWithRetry(`POST /tables/{table}/${action}`, all) as Promise<Answer<ActionRoute<A>>>;
}

type ActionRoute<A extends Action> = `POST /tables/{table}/${A}`;
/** The body of an action, which may be optional, and how it is sent. */
export type ActionArguments<A extends Action> =
  undefined extends Body<ActionRoute<A>>
    ? [body?: Body<ActionRoute<A>>, options?: RetryOptions]
    : [body: Body<ActionRoute<A>>, options?: RetryOptions];
