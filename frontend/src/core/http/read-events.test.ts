import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "./api.ts";
import { readEvents, type Message } from "./read-events.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

class Stream {
  got: string[] = [];
  outcome: unknown = "open";
  readonly abort = new AbortController();
  private controller!: ReadableStreamDefaultController;

  constructor(take: (message: Message) => void | Promise<void> = () => {}) {
    const body = new ReadableStream({ start: (controller) => void (this.controller = controller) });
    const response = new Response(body, { headers: { "Content-Type": "text/event-stream" } });
    const onMessage = ({ kind, id, data }: Message) => {
      this.got.push(`${kind} ${id} ${data}`);
      return take({ kind, id, data });
    };
    readEvents(response, { signal: this.abort.signal, onMessage, silenceSeconds: 40 }).then(
      () => (this.outcome = "ended"),
      (error: unknown) => (this.outcome = error),
    );
  }

  async send(text: string): Promise<void> {
    this.controller.enqueue(new TextEncoder().encode(text));
    await pass(0);
  }

  async end(): Promise<void> {
    this.controller.close();
    await pass(0);
  }
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("messages come in order, wherever the stream is cut", async () => {
  const stream = new Stream();
  await stream.send("event: table\nid: 7\nda");
  expect(stream.got).toEqual([]);
  await stream.send("ta: a\n\ndata: b\n\n: keep-alive\n\n");
  expect(stream.got).toEqual(["table 7 a", "message null b"]);
  await stream.end();
  expect(stream.outcome).toBe("ended");
});

test("a message is taken in before the next one comes", async () => {
  let done = () => {};
  const stream = new Stream(() => new Promise<void>((taken) => (done = taken)));
  await stream.send("data: a\n\ndata: b\n\n");
  await pass(90_000); // which is no silence
  expect(stream.got).toHaveLength(1);
  done();
  await pass(0);
  expect(stream.got).toHaveLength(2);
  expect(stream.outcome).toBe("open");
});

test("what cannot be taken in ends it", async () => {
  const stream = new Stream(() => Promise.reject(new Error("what is that?")));
  await stream.send("data: a\n\ndata: b\n\n");
  expect(stream.got).toHaveLength(1);
  expect(stream.outcome).toMatchObject({ message: "what is that?" });
});

test("keep-alives keep it alive; silence ends it", async () => {
  const stream = new Stream();
  for (let n = 0; n < 3; n++) {
    await pass(39_000);
    await stream.send(": keep-alive\n\n");
  }
  await pass(39_000);
  expect(stream.outcome).toBe("open");
  await pass(1_000);
  expect(stream.outcome).toMatchObject({ name: "TimeoutError" });
});

test("nothing is told after it was aborted", async () => {
  const stream: Stream = new Stream(() => stream.abort.abort());
  await stream.send("data: a\n\ndata: b\n\n");
  expect(stream.got).toHaveLength(1);
  expect(stream.outcome).toMatchObject({ name: "AbortError" });

  const waiting = new Stream();
  waiting.abort.abort();
  await pass(0);
  expect(waiting.outcome).toMatchObject({ name: "AbortError" });
});

test.each([
  ["a refusal", 404, '{"error": {"code": "no-such-table", "message": "", "detail": {}}}', "no-such-table"],
  ["a page of a proxy", 200, "<html>", "no-answer"],
])("%s is an error", async (_, status, body, code) => {
  const signal = new AbortController().signal;
  const reading = readEvents(new Response(body, { status }), {
    signal,
    onMessage: () => {},
    silenceSeconds: 1,
  });
  const error: unknown = await reading.catch((error: unknown) => error);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ code });
});
