// The events of a table, as they happen.

import { backOff, openResponse, sleep, textOf, ApiError, apiErrorOf } from "./api.ts";
import { isOf, readEvents, type Message } from "./read-events.ts";
import { acquireStreamSlot, type StreamSlot } from "./stream-slots.ts";

export interface Following {
  /** Takes in what happened. After what it rejects the whole table comes again. */
  heard: (message: Message) => Promise<void>;
  /** Whether what is known is up to date. */
  state: (connected: boolean) => void;
  /** There is no such table: nothing more will come. */
  refused: (trouble: ApiError) => void;
  /** The token holds no seat here: what comes from now on is what spectators see. */
  unseated?: (trouble: ApiError) => void;
  /** The server prepares the game. */
  preparing?: (trouble: ApiError) => void;
  /** Whether to go on while the page is hidden: somebody here has a seat in a game that is on. */
  keeps?: () => boolean;
}

const CONNECT = 10_000; // ms until there is an answer
const SILENCE = 40; // s without even a keep-alive
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8_000;
const LOOK = 2_000; // ms between looks of a page that has no stream
const LOOK_HIDDEN = 15_000; // while nobody sees it
const RETURNING = 1_500; // ms a page that is seen again has to connect before it says that it is not

/**
 * Follow a table for as long as it takes: lost connections are made anew and go on after the last
 * event that was taken in. After one that could not be, the whole table comes again. Only the server
 * itself can say that there is no such table: any other answer is a lost connection.
 *
 * So that many tabs never use up the connections, most streams are closed while their page is hidden.
 * A page that has none looks again and again instead: where too many are open, or hidden but played on.
 */
export class Follower {
  private last: string | null = null;
  private abort: AbortController | null = null;
  private slot: StreamSlot | null = null;
  private stopped = false;
  private live = false; // what happens comes here
  private closed = false; // by ourselves: the page was hidden
  private tried = 0;
  private returning: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly table: string,
    private token: string | null,
    private readonly following: Following,
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
    clearTimeout(this.returning);
    this.cut();
    this.wake();
  }

  /** Something has happened that was not told here: the connection may be dead without a sign of it. */
  renew(): void {
    this.cut();
    this.again();
  }

  private seen = () => {
    clearTimeout(this.returning);
    if (document.hidden) void this.hide();
    else {
      if (!this.live) this.returning = setTimeout(() => this.following.state(false), RETURNING);
      this.again();
    }
  };

  /** A page that nobody sees must not keep the slot of one that somebody does. */
  private async hide(): Promise<void> {
    if (this.slot === null || (this.keeps && this.slot.allowedHidden)) return;
    const other = this.keeps ? await acquireStreamSlot(true) : null;
    if (other && this.slot) {
      this.slot.release();
      this.slot = other;
    } else {
      other?.release();
      if (document.hidden) this.close();
    }
  }

  private get keeps(): boolean {
    return this.following.keeps?.() ?? false;
  }

  private close(): void {
    this.closed = true;
    this.cut();
  }

  private cut = () => this.abort?.abort();

  private wake: () => void = () => {};
  private again = () => {
    this.tried = 0;
    this.wake();
  };

  /** For some time, or for as long as nobody looks; it ends when there is reason to try again. */
  private async pause(ms?: number): Promise<void> {
    const woken = new Promise<void>((done) => (this.wake = done));
    await (ms === undefined ? woken : Promise.race([woken, sleep(ms)]));
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      if (document.hidden && !this.keeps) await this.pause();
      else await this.follow();
    }
  }

  private async follow(): Promise<void> {
    this.closed = false;
    const { hidden } = document;
    this.slot = await acquireStreamSlot(hidden);
    const streams = this.slot !== null;
    let met: unknown = null;
    try {
      if (this.stopped || hidden !== document.hidden) return;
      await (streams ? this.listen() : this.look());
    } catch (error) {
      met = error;
    } finally {
      this.slot?.release();
      this.slot = null;
    }
    if (this.stopped) return; // another may follow the table by now
    if (met instanceof ApiError) await this.meet(met);
    else if (met || streams) await this.lose();
    else await this.pause(document.hidden ? LOOK_HIDDEN : LOOK);
  }

  /** What to do about a trouble: only what the server itself refuses is more than a lost connection. */
  private async meet(trouble: ApiError): Promise<void> {
    if (trouble.status === 404 && trouble.code === "no-such-table") {
      this.stop();
      this.following.refused(trouble);
    } else if (trouble.status === 401 && this.token !== null) {
      this.token = null;
      this.last = null;
      this.following.unseated?.(trouble);
    } else if (trouble.code === "warming-up") {
      this.following.preparing?.(trouble);
      await this.pause(Math.max(1, trouble.retryAfter) * 1000);
    } else await this.lose(trouble.retryAfter * 1000);
  }

  private async lose(wait = 0): Promise<void> {
    this.live = false;
    if (this.closed) return;
    this.following.state(false);
    await this.pause(Math.max(wait, backOff(++this.tried, FIRST_WAIT, LONGEST_WAIT)));
  }

  private hold(): void {
    clearTimeout(this.returning);
    this.live = true;
    this.following.state(true);
  }

  /** Without a stream: the table as it is now. */
  private async look(): Promise<void> {
    const response = await openResponse("GET /tables/{table}", {
      path: { table: this.table },
      token: this.token,
    });
    const data = await textOf(response);
    if (!response.ok || !isOf(response, "application/json")) throw apiErrorOf(response, data);
    if (this.stopped) return;
    this.hold();
    await this.take({ kind: "table", id: null, data });
    this.last = null; // a stream begins anew: events that are known already do not follow these
  }

  private async listen(): Promise<void> {
    const abort = (this.abort = new AbortController());
    const watch = setTimeout(() => abort.abort(), CONNECT);
    try {
      const headers: Record<string, string> = this.last === null ? {} : { "Last-Event-ID": this.last };
      // Firefox queues a GET behind an equal one that is still open in another tab, unless it bypasses the cache.
      const asked = { path: { table: this.table }, token: this.token, headers, cache: "no-store" as const };
      const response = await openResponse("GET /tables/{table}/events", asked, abort.signal);
      clearTimeout(watch);
      const onMessage = async (message: Message) => {
        if (!this.live) this.hold();
        await this.take(message);
        if (document.hidden && !this.keeps) this.close();
      };
      await readEvents(response, { signal: abort.signal, onMessage, silenceSeconds: SILENCE });
    } finally {
      clearTimeout(watch);
      abort.abort(); // what was not read to its end
    }
  }

  private async take(message: Message): Promise<void> {
    try {
      await this.following.heard(message);
      if (message.id !== null) this.last = message.id;
      this.tried = 0; // not before: who cannot take it in shall not ask all the time
    } catch (error) {
      this.last = null;
      throw new ApiError(0, "not-understood", String(error));
    }
  }
}
