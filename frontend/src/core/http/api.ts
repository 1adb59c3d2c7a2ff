// Requests to the server. What it refuses is thrown as an ApiError with a stable code.

import type { HistoryView, ServerInfo, TableView, TableOfMine } from "./types.ts";

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

interface Asked {
  method?: string;
  token?: string | null;
  key?: string; // with one, a deed is done once however often it is asked for
  body?: unknown;
  headers?: Record<string, string>;
  cache?: RequestCache;
  timeout?: number; // ms a single try may take
  patience?: number; // ms after which it is not tried again
  onTry?: (trouble: ApiError, tried: number) => void; // it did not succeed yet, and is tried again
}

const TIMEOUT = 10_000;
const PATIENCE = { reading: 15_000, acting: 60_000 };
const LONGEST_WAIT = 4_000;

/** Whether trying again may help: nobody refused anything. */
const passing = (trouble: ApiError) => [0, 429].includes(trouble.status) || trouble.status >= 500;

/** Ask the server, and again where that cannot do harm. Every try has the same key. */
export async function ask<T>(path: string, asked: Asked = {}): Promise<T> {
  const reading = (asked.method ?? "GET") === "GET";
  const usual = asked.key !== undefined ? PATIENCE.acting : reading ? PATIENCE.reading : 0;
  const end = Date.now() + (asked.patience ?? usual);
  for (let tried = 1; ; tried++) {
    try {
      return await once<T>(path, asked);
    } catch (error) {
      if (!(error instanceof ApiError) || !passing(error)) throw error;
      const wait = Math.max(error.retryAfter * 1000, backOff(tried, 300, LONGEST_WAIT));
      if (Date.now() + wait > end) throw error;
      asked.onTry?.(error, tried);
      await sleep(wait);
    }
  }
}

/** Ask a single time: for those who ask again by themselves. */
export async function once<T>(path: string, asked: Asked = {}): Promise<T> {
  const response = await reach(path, asked);
  const text = await textOf(response);
  if (!response.ok) throw troubleOf(response, text);
  try {
    return (response.status === 204 ? undefined : JSON.parse(text)) as T; // some deeds have nothing to tell
  } catch {
    throw noAnswer(); // somebody else's: a proxy's page, or half an answer
  }
}

/** A response whose body is still to be read; ApiError if there is none. Who gives a signal minds the time. */
export async function reach(path: string, asked: Asked = {}, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { ...asked.headers };
  if (asked.token) headers["Authorization"] = `Bearer ${asked.token}`;
  if (asked.key) headers["Idempotency-Key"] = asked.key;
  if (asked.body !== undefined) headers["Content-Type"] = "application/json";
  try {
    return await fetch(`/api${path}`, {
      method: asked.method ?? "GET",
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

type Trying = Pick<Asked, "key" | "timeout" | "patience" | "onTry">;

export const serverInfo = () => ask<ServerInfo>("/server");
export const see = (id: string, token: string | null) => ask<TableView>(`/tables/${id}`, { token });
export const historyOf = (id: string, token: string | null) =>
  allPages((query) => ask<HistoryView>(`/tables/${id}/history${query}`, { token }));

/** A whole history from its pages. If something happens at the table meanwhile, start over. */
export async function allPages(page: (query: string) => Promise<HistoryView>): Promise<HistoryView> {
  const { next, ...history } = await page("");
  const steps = [...history.steps];
  for (let first = next ?? null; first !== null;) {
    const more = await page(`?first=${first}`);
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
    const { tables } = await ask<{ tables: TableOfMine[] }>("/tables/mine", { headers, ...trying });
    found.push(...tables);
  }
  return found;
}

/** Do something for a seat, once. */
export function act<T = { number: number }>(
  id: string,
  deed: string,
  token: string,
  body?: unknown,
  trying: Trying = {},
): Promise<T> {
  return ask<T>(`/tables/${id}/${deed}`, {
    method: "POST",
    token,
    body,
    ...trying,
    key: trying.key ?? draw(),
  });
}
