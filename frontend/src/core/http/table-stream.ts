// The events of a table, as they happen.

import { Signal } from "$core/async/signal.ts";
import { apiErrorOf, backOff, openResponse, sleep, textOf, ApiError } from "./api.ts";
import { isOf, readEvents, type Message } from "./read-events.ts";
import { acquireStreamSlot, type StreamSlot } from "./stream-slots.ts";

export interface TableStreamHandlers {
  /** Processes a message. If it rejects, the whole table is sent again. */
  onMessage: (message: Message) => Promise<void>;
  /** Whether what is known is up to date. */
  onConnectionChange: (isConnected: boolean) => void;
  /** There is no such table, and no further message. */
  onGone: (error: ApiError) => void;
  /** The token holds no seat here: from now on messages are those for spectators. */
  onSeatLost?: (error: ApiError) => void;
  /** The server prepares the game. */
  onPreparing?: (error: ApiError) => void;
  /** Whether to go on while the page is hidden: somebody here has a seat in a game that is on. */
  staysOpenHidden?: () => boolean;
}

const CONNECT = 10_000; // ms until there is an answer
const SILENCE = 40; // s without even a keep-alive
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8_000;
const POLL = 2_000; // ms between requests of a page that has no stream
const POLL_HIDDEN = 15_000;
const RETURNING = 1_500; // ms in which a page that is seen again may connect before it says that it is not

interface Connection {
  abort: AbortController;
  slot: StreamSlot;
}

type State =
  | { kind: "connecting"; connection: Connection | null } // null: for lack of a slot the table is polled
  | { kind: "streaming"; connection: Connection }
  | { kind: "polling" } // the last poll succeeded
  | { kind: "waiting" } // for the next attempt, or until the page is seen
  | { kind: "stopped" };

const HIDDEN = new DOMException("the page is hidden", "AbortError");

/**
 * Follows a table: lost connections are made anew and go on after the last event that was processed. After an event
 * that could not be, the whole table comes again. Only the server itself can say that there is no such table: any
 * other answer is a lost connection.
 *
 * So that many tabs never use up the connections, most streams are closed while their page is hidden. A page without a
 * stream polls instead: where too many are open, or it is hidden but played on.
 */
export class TableStream {
  private state: State = { kind: "waiting" };
  private lastEventId: string | null = null;
  private attempts = 0; // since the last message
  private readonly retry = new Signal(); // there is reason to connect at once
  private returning: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly table: string,
    private token: string | null,
    private readonly handlers: TableStreamHandlers,
  ) {
    document.addEventListener("visibilitychange", this.onVisibilityChange);
    addEventListener("online", this.retryNow);
    addEventListener("offline", this.disconnect);
    addEventListener("pageshow", this.retryNow);
    void this.run();
  }

  stop(): void {
    document.removeEventListener("visibilitychange", this.onVisibilityChange);
    removeEventListener("online", this.retryNow);
    removeEventListener("offline", this.disconnect);
    removeEventListener("pageshow", this.retryNow);
    clearTimeout(this.returning);
    this.disconnect();
    this.state = { kind: "stopped" };
    this.retry.emit();
  }

  /** Connect anew: the connection may be dead without a sign of it. */
  reconnect(): void {
    this.disconnect();
    this.retryNow();
  }

  private get connection(): Connection | null {
    return "connection" in this.state ? this.state.connection : null;
  }

  private get isConnected(): boolean {
    return this.state.kind === "streaming" || this.state.kind === "polling";
  }

  private get isStopped(): boolean {
    return this.state.kind === "stopped";
  }

  private get staysOpenHidden(): boolean {
    return this.handlers.staysOpenHidden?.() ?? false;
  }

  private setState(state: State): void {
    if (!this.isStopped) this.state = state;
  }

  private disconnect = () => this.connection?.abort.abort();

  private retryNow = () => {
    this.attempts = 0;
    this.retry.emit();
  };

  private onVisibilityChange = () => {
    clearTimeout(this.returning);
    if (document.hidden) return void this.hide();
    if (!this.isConnected)
      this.returning = setTimeout(() => this.handlers.onConnectionChange(false), RETURNING);
    this.retryNow();
  };

  /** A hidden page must not keep the slot of one that is seen. */
  private async hide(): Promise<void> {
    const { connection } = this;
    if (connection === null || (this.staysOpenHidden && connection.slot.allowedHidden)) return;
    const slot = this.staysOpenHidden ? await acquireStreamSlot(true) : null;
    if (slot && connection === this.connection) {
      connection.slot.release();
      connection.slot = slot;
    } else {
      slot?.release();
      if (document.hidden) this.connection?.abort.abort(HIDDEN);
    }
  }

  private async run(): Promise<void> {
    while (!this.isStopped) {
      if (document.hidden && !this.staysOpenHidden) await this.wait();
      else await this.connect();
    }
  }

  /** For some time, or as long as the page is hidden; it ends when there is reason to connect. */
  private async wait(ms?: number): Promise<void> {
    this.setState({ kind: "waiting" });
    await this.pause(ms);
  }

  private async pause(ms?: number): Promise<void> {
    await (ms === undefined ? this.retry.next() : Promise.race([this.retry.next(), sleep(ms)]));
  }

  /** A stream until it ends, or a poll, and the time to wait after it. */
  private async connect(): Promise<void> {
    const { hidden } = document;
    const slot = await acquireStreamSlot(hidden);
    if (this.isStopped || hidden !== document.hidden) return slot?.release();
    try {
      if (slot === null) {
        await this.poll();
        await this.pause(document.hidden ? POLL_HIDDEN : POLL);
      } else if ((await this.stream(slot)) === "ended") await this.handleDisconnect();
    } catch (error) {
      if (this.isStopped) return; // another stream may follow the table by now
      if (error instanceof ApiError) await this.handleError(error);
      else await this.handleDisconnect();
    }
  }

  /** Only what the server itself refuses is more than a lost connection. */
  private async handleError(error: ApiError): Promise<void> {
    if (error.status === 404 && error.code === "no-such-table") {
      this.stop();
      this.handlers.onGone(error);
    } else if (error.status === 401 && this.token !== null) {
      this.token = null;
      this.lastEventId = null;
      this.handlers.onSeatLost?.(error);
    } else if (error.code === "warming-up") {
      this.handlers.onPreparing?.(error);
      await this.wait(Math.max(1, error.retryAfter) * 1000);
    } else await this.handleDisconnect(error.retryAfter * 1000);
  }

  private async handleDisconnect(retryAfter = 0): Promise<void> {
    if (this.isStopped) return;
    this.handlers.onConnectionChange(false);
    await this.wait(Math.max(retryAfter, backOff(++this.attempts, FIRST_WAIT, LONGEST_WAIT)));
  }

  private setConnected(state: State): void {
    clearTimeout(this.returning);
    this.setState(state);
    this.handlers.onConnectionChange(true);
  }

  private async poll(): Promise<void> {
    if (this.state.kind !== "polling") this.setState({ kind: "connecting", connection: null });
    const response = await openResponse("GET /tables/{table}", {
      path: { table: this.table },
      token: this.token,
    });
    const data = await textOf(response);
    if (!response.ok || !isOf(response, "application/json")) throw apiErrorOf(response, data);
    if (this.isStopped) return;
    this.setConnected({ kind: "polling" });
    await this.deliver({ kind: "table", id: null, data });
    this.lastEventId = null; // events since the last stream are part of this table: the next one begins anew
  }

  private async stream(slot: StreamSlot): Promise<"ended" | "hidden"> {
    const connection: Connection = { abort: new AbortController(), slot };
    const { abort } = connection;
    this.setState({ kind: "connecting", connection });
    const timeout = setTimeout(() => abort.abort(), CONNECT);
    const isHidden = () => abort.signal.reason === HIDDEN;
    try {
      const response = await this.openEvents(abort.signal);
      clearTimeout(timeout);
      const onMessage = async (message: Message) => {
        if (this.state.kind !== "streaming") this.setConnected({ kind: "streaming", connection });
        await this.deliver(message);
        if (document.hidden && !this.staysOpenHidden) abort.abort(HIDDEN);
      };
      await readEvents(response, { signal: abort.signal, onMessage, silenceSeconds: SILENCE });
      return isHidden() ? "hidden" : "ended";
    } catch (error) {
      if (!isHidden()) throw error;
      return "hidden";
    } finally {
      clearTimeout(timeout);
      abort.abort(); // what was not read to its end
      connection.slot.release();
      this.setState({ kind: "waiting" });
    }
  }

  private openEvents(signal: AbortSignal): Promise<Response> {
    const headers: Record<string, string> =
      this.lastEventId === null ? {} : { "Last-Event-ID": this.lastEventId };
    // Firefox queues a GET behind an equal one that is still open in another tab, unless it bypasses the cache.
    const options = { path: { table: this.table }, token: this.token, headers, cache: "no-store" as const };
    return openResponse("GET /tables/{table}/events", options, signal);
  }

  private async deliver(message: Message): Promise<void> {
    try {
      await this.handlers.onMessage(message);
      if (message.id !== null) this.lastEventId = message.id;
      this.attempts = 0; // only now: a client that cannot process what it gets has to back off
    } catch (error) {
      this.lastEventId = null;
      throw new ApiError(0, "not-understood", String(error));
    }
  }
}
