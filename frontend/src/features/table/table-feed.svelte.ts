// What the server says of a table: its state, its timeline, chat and notices, kept up to date by a stream.

import { ApiError, getHistory } from "$core/http/api.ts";
import type { Message } from "$core/http/read-events.ts";
import { TableStream } from "$core/http/table-stream.ts";
import {
  playedBy,
  seatIn,
  type EventMessage,
  type Line,
  type Notice,
  type TableView,
} from "$core/http/types.ts";
import { canApplyAll } from "$engine/drawing.ts";
import { Timeline } from "$engine/timeline.ts";
import { applyEvent, OutOfSyncError, stateOf, updatesClocks, type TableState } from "./apply-event.ts";
import { onceHinted, withReturns } from "./notices.ts";

/** Events in the list of moves, besides moves. */
const NOTICES: ReadonlySet<string> = new Set([
  "unrevealed",
  "undo-asked",
  "undo-refused",
  "undone",
  "left",
  "taken-over",
  "reclaimed",
  "timed-out",
  "resigned",
  "paused",
  "hinted",
]);

export interface TableFeedHandlers {
  /** An event has arrived. The table is not updated yet. */
  onEvent: (message: EventMessage) => void;
  /** Called before each update; it is dropped if the answer is false. */
  onBeforeUpdate: (table: TableState, isSnapshot: boolean) => Promise<boolean>;
  onUpdate: (table: TableState, isFirst: boolean) => void;
  onReconnect: () => void;
  /** The token holds no seat here: from now on the feed is a spectator's. */
  onSeatLost: () => void;
  /** Whether to stay connected while the page is hidden. */
  staysOpenHidden: () => boolean;
}

export class TableFeed {
  table = $state.raw<TableState | null>(null);
  timeline = $state.raw(Timeline.EMPTY);
  chat = $state.raw<readonly Line[]>([]);
  rawNotices = $state.raw<readonly Notice[]>([]);
  present = $state.raw<readonly number[] | null>(null); // the seats whose players are online; null: not known yet
  receivedAt = $state(0); // when the clocks were received, by our clock
  isConnected = $state(false);
  isMissing = $state(false); // there is no such table
  preparing = $state.raw<ApiError | null>(null); // the server still prepares the game

  readonly notices: readonly Notice[] = $derived.by(() =>
    withReturns(onceHinted(this.rawNotices), this.timeline.steps),
  );

  private stream: TableStream | null = null;
  private token: string | null = null;
  private received: TableState | null = null; // after the last message, which may still be processed
  private processing: Promise<void> = Promise.resolve();
  private isHistoryLoaded = false;
  private noticesUpTo = 1; // before the second event no seat can have been freed
  private isClosed = false;

  constructor(
    private readonly id: string,
    private readonly handlers: TableFeedHandlers,
  ) {}

  /** Connect, or connect again, as a seat's player or a spectator. */
  connect(token: string | null): void {
    this.stream?.stop();
    this.token = token;
    this.table = null;
    this.isHistoryLoaded = false; // another viewer sees another one
    this.stream = new TableStream(this.id, token, {
      onMessage: (message) => this.handleMessage(message),
      onConnectionChange: (isConnected) => this.setConnected(isConnected),
      onGone: () => (this.isMissing = true),
      onSeatLost: () => {
        this.token = null;
        this.handlers.onSeatLost();
      },
      onPreparing: (error) => (this.preparing = error),
      staysOpenHidden: this.handlers.staysOpenHidden,
    });
  }

  /** Connect anew: the connection may be dead without a sign of it. */
  reconnect(): void {
    this.stream?.reconnect();
  }

  close(): void {
    this.isClosed = true;
    this.stream?.stop();
  }

  private setConnected(isConnected: boolean): void {
    const wasConnected = this.isConnected;
    this.isConnected = isConnected;
    if (isConnected && !wasConnected) this.handlers.onReconnect();
  }

  private async handleMessage({ kind, data }: Message): Promise<void> {
    if (kind === "present") this.present = JSON.parse(data).seats;
    else if (kind === "table") await this.enqueue(stateOf(JSON.parse(data) as TableView));
    else if (kind === "event") {
      const message = JSON.parse(data) as EventMessage;
      if (this.received === null) throw new OutOfSyncError("no table yet");
      await this.enqueue(applyEvent(this.received, message), message);
    }
  }

  /** Process a new state after those before it: some need further requests. */
  private enqueue(table: TableState, message?: EventMessage): Promise<void> {
    this.received = table;
    const next = () => this.process(table, message);
    this.processing = this.processing.then(next, next);
    return this.processing;
  }

  private async process(table: TableState, message?: EventMessage): Promise<void> {
    const isFirst = this.table === null;
    const isSnapshot = message === undefined;
    if (message) {
      this.log(message);
      this.handlers.onEvent(message);
    }
    await this.syncTimeline(table, message);
    const isComplete = isSnapshot || message.now !== undefined || message.event.kind === "said";
    if (!isComplete) return; // more events follow at once
    if (isSnapshot || updatesClocks(message)) this.receivedAt = Date.now();
    if (!(await this.handlers.onBeforeUpdate(table, isSnapshot))) return;
    this.table = table;
    this.handlers.onUpdate(table, isFirst);
    if (isSnapshot && table.start === undefined) void this.loadLog(table.number);
  }

  /** Add an event to chat or notices. */
  private log({ number, at, event }: EventMessage): void {
    if (event.kind === "said" && !this.chat.some((line) => line.number === number)) {
      const { seat, text, phrase } = event;
      this.chat = [...this.chat, { number, at, seat, text, phrase }];
    }
    if (NOTICES.has(event.kind) && !this.rawNotices.some((notice) => notice.number === number)) {
      const after = event.kind === "undone" ? event.keep : this.timeline.end;
      const { level, resigned, timed_out } = event.kind === "taken-over" ? event : {};
      const { strength } = event.kind === "hinted" ? event : {};
      const name = event.kind === "unrevealed" ? this.table?.seats[event.seat]?.name : undefined;
      const what = { kind: event.kind, seat: seatIn(event), level, resigned, timed_out, strength, name };
      this.rawNotices = [...this.rawNotices, { number, at, after, ...what }];
    }
  }

  /** Bring the timeline up to a state: by its event if possible, otherwise by the whole history. */
  private async syncTimeline(table: TableState, message?: EventMessage): Promise<void> {
    const { timeline } = this;
    const moves = table.moves ?? [];
    const played = message && playedBy(message.event);
    const isUnchanged = !message && this.isHistoryLoaded && table.number === this.table?.number;
    if (table.start === undefined || isUnchanged) return;
    const isKnown = this.isHistoryLoaded && timeline.agrees(moves);
    if (message && played !== undefined && isKnown && moves.length === timeline.end + 1) {
      // A step that was taken back since comes without effects, and is dropped by what follows.
      const { effects = [], facts, event } = message;
      if (!canApplyAll(timeline.drawingAt(timeline.end), effects))
        throw new OutOfSyncError(`the effects of ${played} do not fit`);
      this.timeline = timeline.after({ move: played, effects, facts, seat: seatIn(event) });
    } else if (message && isKnown && moves.length <= timeline.end) {
      if (moves.length < timeline.end) this.timeline = timeline.upTo(moves.length);
    } else {
      const isSamePosition = table.position_since === this.table?.position_since;
      await this.reloadHistory(isKnown && isSamePosition && moves.length === timeline.end);
    }
  }

  /** Load history, chat and notices; the timeline stays the same object if nothing was played. */
  private async reloadHistory(isTimelineCurrent: boolean): Promise<void> {
    const history = await getHistory(this.id, this.token);
    if (!isTimelineCurrent) this.timeline = Timeline.of(history);
    this.chat = history.said;
    this.rawNotices = history.notices;
    this.isHistoryLoaded = true;
  }

  /** Before the game: load chat and notices of the time before this page was there. */
  private async loadLog(number: number): Promise<void> {
    if (number <= this.noticesUpTo) return;
    const before = this.noticesUpTo;
    this.noticesUpTo = number;
    try {
      const history = await getHistory(this.id, this.token);
      if (this.isHistoryLoaded || this.isClosed) return; // the game has begun meanwhile
      const isNewer = (each: { number: number }) => each.number > history.number;
      this.chat = [...history.said, ...this.chat.filter(isNewer)];
      this.rawNotices = [...history.notices, ...this.rawNotices.filter(isNewer)];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.noticesUpTo = before; // the next snapshot tries again
    }
  }
}
