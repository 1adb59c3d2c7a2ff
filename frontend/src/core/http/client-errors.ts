// Errors in our own code, as they are reported to the server: without anything about people.

import { ApiError, requestOnce } from "./api.ts";
import type { ClientError } from "./types.ts";

const MOST = 5; // of one page load
const LONGEST = { message: 300, stack: 2_000, page: 100, build: 60 }; // as the server takes them

// Not ours, or nothing that is wrong.
const IGNORED = /^(?:AbortError|ResizeObserver loop|Script error)|-extension:\/\//;

const reported = new Set<string>();

/** Report an error: once, however often it is thrown, and only the first few of them. Never throws. */
export function reportError(error: unknown): void {
  try {
    const report = reportOf(error);
    if (!report) return;
    const key = `${report.message}\n${report.stack}`;
    if (reported.has(key) || reported.size >= MOST) return;
    reported.add(key);
    requestOnce("POST /client-errors", { body: report }).catch(() => {});
  } catch {
    // An error of a report is not reported.
  }
}

/** What is reported of an error; null if it says nothing of our code. */
export function reportOf(error: unknown): ClientError | null {
  if (error instanceof ApiError && isPassing(error)) return null;
  const message = messageOf(error);
  const stack = (error instanceof Error && error.stack) || "";
  if (IGNORED.test(message) || IGNORED.test(stack)) return null;
  return {
    message: masked(message).slice(0, LONGEST.message) || "?",
    stack: masked(withoutMessage(stack)).slice(0, LONGEST.stack),
    page: masked(location.pathname).slice(0, LONGEST.page),
    build: (script()?.split("/").at(-1) ?? "").slice(0, LONGEST.build),
    browser: browserOf(navigator.userAgent),
  };
}

/** Whether the server did not answer, or not yet. */
const isPassing = ({ status }: ApiError) => status === 0 || status === 429 || status >= 500;

function messageOf(error: unknown): string {
  if (error instanceof ApiError) return `ApiError: ${error.status} ${error.code}`; // its message may name people
  if (error instanceof Error) return `${error.name}: ${error.message}`;
  if (error instanceof DOMException) return `${error.name}: ${error.message}`; // not an Error everywhere
  return typeof error === "string" ? error : `thrown: ${typeof error}`;
}

/** The lines of a stack that name a place: Chromium begins it with the message. */
const withoutMessage = (stack: string) =>
  stack
    .split("\n")
    .filter((line) => /^\s*at .*:\d+\)?$|@\S*:\d+:\d+$/.test(line))
    .map((line) => line.trim())
    .join("\n");

/** Without origins, queries, fragments and ids; without what may be a token, and what is quoted. */
export function masked(text: string): string {
  return text
    .replaceAll(location.origin, "")
    .replace(/([\w/])[?#]\S*?(?=(?::\d+){0,2}[),;]?(?:\s|$))/g, "$1")
    .replace(/\/(t|tables|review|reviews|feeds|mail)\/[^\s/?#:)]+/g, "/$1/ID")
    .replace(/"(?:.*"|.*$)/gm, '"…"') // also around quotes: what an answer of the server has
    .replace(/[\w-]{32,}/g, "***");
}

/** The script that the page started with: another build has another. */
const script = () => document.querySelector('script[type="module"][src]')?.getAttribute("src");

function browserOf(agent: string): ClientError["browser"] {
  if (/Firefox\//.test(agent)) return "Firefox";
  if (/Edg\//.test(agent)) return "Edge";
  if (/Chrom(?:e|ium)\//.test(agent)) return "Chrome";
  return /Safari\//.test(agent) ? "Safari" : "other";
}
