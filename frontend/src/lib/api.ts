// Requests to the house. What it refuses comes back as a Trouble with a stable code.

import type { History, ServerInfo, Table, TableOfMine } from "./types.ts";

export class Trouble extends Error {
  constructor(
    readonly status: number, // 0: the house did not answer
    readonly code: string,
    message: string,
    readonly detail: { rule?: string; parameters?: Record<string, string | number>; game?: string; seconds?: number } = {},
    readonly retryAfter = 0, // seconds
  ) {
    super(message);
  }
}

interface Asked {
  method?: string;
  token?: string | null;
  key?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

const TRIES = 4;

/** Ask the house; patiently, where asking again cannot do harm. */
export async function ask<T>(path: string, asked: Asked = {}): Promise<T> {
  const patient = (asked.method ?? "GET") === "GET" || asked.key !== undefined;
  for (let tried = 1; ; tried++) {
    try {
      return await once<T>(path, asked);
    } catch (error) {
      const passing = error instanceof Trouble && [0, 429, 503].includes(error.status);
      if (!passing || !patient || tried >= TRIES) throw error;
      await sleep(Math.max(error.retryAfter * 1000, 300 * tried));
    }
  }
}

/** Ask a single time: for those who ask again by themselves. */
export async function once<T>(path: string, asked: Asked = {}): Promise<T> {
  const response = await reach(path, asked);
  const text = await response.text();
  if (!response.ok) throw troubleOf(response, text);
  return (text ? JSON.parse(text) : undefined) as T; // some deeds have nothing to tell
}

/** A response whose body is still to be read; Trouble if there is none. */
export async function reach(path: string, asked: Asked = {}, signal?: AbortSignal): Promise<Response> {
  const headers: Record<string, string> = { ...asked.headers };
  if (asked.token) headers["Authorization"] = `Bearer ${asked.token}`;
  if (asked.key) headers["Idempotency-Key"] = asked.key;
  if (asked.body !== undefined) headers["Content-Type"] = "application/json";
  try {
    return await fetch(`/api${path}`, {
      method: asked.method ?? "GET",
      headers,
      body: asked.body === undefined ? undefined : JSON.stringify(asked.body),
      signal,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Trouble(0, "no-answer", "the house does not answer");
  }
}

export function troubleOf(response: Response, text: string): Trouble {
  const retry = Number(response.headers.get("Retry-After") ?? 0);
  try {
    const { code, message, detail } = JSON.parse(text).error;
    return new Trouble(response.status, code, message, detail, retry);
  } catch {
    return new Trouble(response.status, "no-answer", response.statusText, {}, retry);
  }
}

export const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

/** A random text: a key to ask once, or somebody's part in a table's luck. */
export function draw(bytes = 16): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (b) => b.toString(16).padStart(2, "0")).join("");
}

export const serverInfo = () => ask<ServerInfo>("/server");
export const see = (id: string, token: string | null) => ask<Table>(`/tables/${id}`, { token });
export const historyOf = (id: string, token: string | null) => ask<History>(`/tables/${id}/history`, { token });

/** The tables where some tokens hold seats. */
export async function mine(tokens: string[]): Promise<TableOfMine[]> {
  const headers = { "Benben-Tokens": tokens.slice(-50).join(" ") };
  return (await ask<{ tables: TableOfMine[] }>("/tables/mine", { headers })).tables;
}

/** Do something for a seat, once. */
export function act<T = { number: number }>(id: string, deed: string, token: string, body?: unknown): Promise<T> {
  return ask<T>(`/tables/${id}/${deed}`, { method: "POST", token, body, key: draw() });
}
