// Server-sent events read with fetch(), as EventSource sends no Authorization header.

import { reach, sleep, Trouble, troubleOf } from "./api.ts";

export interface Message {
  kind: string;
  id: string | null;
  data: string;
}

/** The messages in a text of which the end may still be missing, and what is left of it. */
export function messagesIn(text: string): [Message[], string] {
  const parts = text.split("\n\n");
  const rest = parts.pop() ?? "";
  const messages: Message[] = [];
  for (const part of parts) {
    const message: Message = { kind: "message", id: null, data: "" };
    for (const line of part.split("\n")) {
      if (line.startsWith("event: ")) message.kind = line.slice(7);
      else if (line.startsWith("id: ")) message.id = line.slice(4);
      else if (line.startsWith("data: ")) message.data += line.slice(6);
    }
    if (message.data) messages.push(message);
  }
  return [messages, rest];
}

const SILENCE = 40_000; // ms without even a keep-alive: the connection is dead
const LONGEST_WAIT = 8_000;
const MOST_STREAMS = 4; // of all tabs: a browser makes no more than six connections to a host
const LOOK = 2_000; // ms between looks of a tab that has no stream

/** Leave to keep a stream open, as long as there is one to be had; who calls it gives it back. */
async function place(): Promise<(() => void) | null> {
  if (!("locks" in navigator)) return () => {}; // not in a secure context: nobody counts
  for (let number = 0; number < MOST_STREAMS; number++) {
    const leave = await new Promise<(() => void) | null>((found) => {
      void navigator.locks.request(`benben-stream-${number}`, { ifAvailable: true }, (lock) => {
        if (lock === null) return found(null);
        return new Promise<void>((done) => found(done)); // kept until then
      });
    });
    if (leave) return leave;
  }
  return null;
}

/**
 * Follow a table for as long as it takes: lost connections are made anew and go on after the last
 * event that was taken in. After one that could not be, the whole table comes again. So that many tabs
 * never use up the connections, the stream is closed while the page is hidden, and where too many tabs
 * are looked at, the latest ones just look again and again.
 */
export class Follower {
  private last: string | null = null;
  private abort: AbortController | null = null;
  private stopped = false;
  private tried = 0;

  constructor(
    private readonly path: string, // of the table
    private readonly token: string | null,
    private readonly heard: (message: Message) => Promise<void>, // rejects what it cannot make sense of
    private readonly state: (connected: boolean) => void,
    private readonly refused: (trouble: Trouble) => void,
    private readonly preparing: (trouble: Trouble) => void = () => {}, // the house prepares the game
  ) {
    document.addEventListener("visibilitychange", this.seen);
    addEventListener("online", this.again);
    addEventListener("offline", this.cut);
    addEventListener("pageshow", this.again);
    void this.run();
  }

  stop(): void {
    this.stopped = true;
    document.removeEventListener("visibilitychange", this.seen);
    removeEventListener("online", this.again);
    removeEventListener("offline", this.cut);
    removeEventListener("pageshow", this.again);
    this.abort?.abort();
  }

  private seen = () => {
    if (document.hidden) this.cut();
    else this.again();
  };

  private cut = () => this.abort?.abort();

  private wake: () => void = () => {};
  private again = () => {
    this.tried = 0;
    this.wake();
  };

  private async run(): Promise<void> {
    while (!this.stopped) {
      if (!document.hidden) {
        try {
          const leave = await place();
          if (leave === null) {
            await this.look();
            await sleep(LOOK);
            continue;
          }
          await this.listen().finally(leave);
        } catch (error) {
          if (this.stopped) return; // another may follow the table by now
          if (error instanceof Trouble && error.status >= 400 && ![429, 503].includes(error.status)) {
            this.refused(error);
            return;
          }
          if (error instanceof Trouble && error.code === "warming-up") {
            this.preparing(error);
            await sleep(1000 * error.retryAfter);
            continue;
          }
        }
        if (this.stopped) return;
        this.state(false);
      }
      await this.pause();
    }
  }

  /** Until there is reason to try again: some time has passed, or the page is looked at again. */
  private async pause(): Promise<void> {
    const woken = new Promise<void>((done) => (this.wake = done));
    const wait = Math.min(LONGEST_WAIT, 250 * 2 ** this.tried++);
    await (document.hidden ? woken : Promise.race([woken, sleep(wait)]));
  }

  /** Without a stream, for want of connections: the table as it is now. */
  private async look(): Promise<void> {
    const response = await reach(this.path, { token: this.token });
    const text = await response.text();
    if (!response.ok) throw troubleOf(response, text);
    this.state(true);
    this.tried = 0;
    this.last = null; // a stream begins anew: events that are known already do not follow these
    if (!this.stopped) await this.heard({ kind: "table", id: null, data: text });
  }

  private async take(message: Message): Promise<void> {
    try {
      await this.heard(message);
      if (message.id !== null) this.last = message.id;
      this.tried = 0; // not before: who cannot take it in shall not ask all the time
    } catch (error) {
      this.last = null;
      throw new Trouble(0, "not-understood", String(error));
    }
  }

  private async listen(): Promise<void> {
    const abort = (this.abort = new AbortController());
    let watch = setTimeout(() => abort.abort(), SILENCE);
    try {
      const headers: Record<string, string> = this.last === null ? {} : { "Last-Event-ID": this.last };
      const response = await reach(`${this.path}/events`, { token: this.token, headers }, abort.signal);
      if (!response.ok) throw troubleOf(response, await response.text());
      if (this.stopped) return;
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      this.state(true);
      for (let text = ""; ; ) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(watch);
        watch = setTimeout(() => abort.abort(), SILENCE);
        const [messages, rest] = messagesIn(text + value);
        text = rest;
        for (const message of messages) {
          if (this.stopped) return;
          await this.take(message);
        }
      }
    } finally {
      clearTimeout(watch);
    }
  }
}
