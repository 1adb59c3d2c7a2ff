// Server-sent events read with fetch(), as EventSource sends no Authorization header and no body.

import { createParser } from "eventsource-parser";
import { textOf, apiErrorOf } from "./api.ts";

export interface Message {
  kind: string;
  id: string | null;
  data: string;
}

interface Reading {
  /** Ends it; it is the request's own, which its owner aborts when this has returned or failed. */
  signal: AbortSignal;
  /** Takes in one message after the other. */
  onMessage: (message: Message) => void | Promise<void>;
  /** After so long without even a keep-alive the connection is dead. */
  silenceSeconds: number;
}

/** Read events until the server ends them. Rejects if it refuses them (ApiError), falls silent, or is aborted. */
export async function readEvents(response: Response, reading: Reading): Promise<void> {
  const { signal, onMessage } = reading;
  if (!response.ok || !isOf(response, "text/event-stream"))
    throw apiErrorOf(response, await inTime(textOf(response), reading));
  const messages: Message[] = [];
  const parser = createParser({
    onEvent: ({ event, id, data }) => messages.push({ kind: event ?? "message", id: id ?? null, data }),
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await inTime(reader.read(), reading);
    if (done) return;
    parser.feed(value);
    for (const message of messages.splice(0)) {
      signal.throwIfAborted();
      await onMessage(message);
    }
  }
}

/** What comes next, unless it is aborted or takes too long. */
async function inTime<T>(coming: Promise<T>, { signal, silenceSeconds }: Reading): Promise<T> {
  let fail: (reason: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => (fail = reject));
  const aborted = () => fail(signal.reason);
  const watch = setTimeout(() => fail(new DOMException("silence", "TimeoutError")), silenceSeconds * 1000);
  if (signal.aborted) aborted();
  signal.addEventListener("abort", aborted);
  try {
    return await Promise.race([coming, failed]);
  } finally {
    clearTimeout(watch);
    signal.removeEventListener("abort", aborted);
  }
}

/** Whether an answer is what was asked for, and not the page of somebody in between. */
export function isOf(response: Response, type: string): boolean {
  return response.headers.get("Content-Type")?.startsWith(type) ?? false;
}
