// A table that this device plays at or watches: its feed, the seats held here, what they do, and what is shown of it.

import { sleep } from "$core/http/api.ts";
import { reducedMotion } from "$core/a11y/motion.ts";
import { noteEnd } from "$core/tables/seats.ts";
import { pacingOf } from "$engine/boards.ts";
import { Playback } from "$engine/playback.svelte.ts";
import { TableActions } from "./actions.svelte.ts";
import type { TableState } from "./apply-event.ts";
import { GameStart } from "./game-start.svelte.ts";
import { LocalSeats } from "./local-seats.svelte.ts";
import { TableFeed } from "./table-feed.svelte.ts";

const LAST_MOVE = 1_200; // ms in which a last move is looked at, before the result is shown

export class Session {
  readonly feed: TableFeed;
  readonly seats: LocalSeats;
  readonly playback: Playback;
  readonly actions: TableActions;
  readonly start: GameStart;

  /** The table as it is seen here. */
  readonly table: TableState | null = $derived.by(() => this.seats.table);
  /** Everything that has happened has been shown. */
  readonly live: boolean = $derived.by(() => this.playback.live);
  readonly over: boolean = $derived.by(() => this.live && this.table?.result !== undefined);
  /** The result may be shown: what decided the game has been seen. */
  concluded = $state(false);
  /** Whose turn it is at the moment that is shown. */
  readonly toMove: number | null = $derived.by(
    () => this.feed.timeline.moverAt(this.playback.at) ?? this.table?.to_move ?? null,
  );
  readonly canReplay: boolean = $derived.by(() => this.live && this.feed.timeline.end > 0);

  private sawGame = false; // before its end
  private isClosed = false;
  private readonly stopEffects: () => void;

  constructor(readonly id: string) {
    this.feed = new TableFeed(id, {
      onEvent: (message) => this.seats.applyEvent(message),
      onBeforeUpdate: (table, isSnapshot) => this.identifySeats(table, isSnapshot),
      onUpdate: (table, isFirst) => this.update(table, isFirst),
      onReconnect: () => {
        const { table } = this.feed;
        if (table?.starting) void this.start.advance(table); // it may have failed before
      },
      onSeatLost: () => this.seats.dropAll(),
      staysOpenHidden: () => this.seats.isInPlay,
    });
    this.seats = new LocalSeats(id, this.feed, () => this.live && this.playback.isFollowing);
    this.playback = new Playback(
      { wait: sleep, skipsAnimation: () => document.hidden || reducedMotion() },
      () => pacingOf(this.feed.table?.game ?? ""),
      () => this.seats.own,
    );
    this.actions = new TableActions(this);
    this.start = new GameStart(id, this.feed);
    this.connect();
    this.stopEffects = $effect.root(() => {
      $effect(() => this.seats.updateActive());
      $effect(() => this.actions.prefetchRefusals());
      $effect(() => this.conclude());
    });
  }

  /** Connect with the tokens that this device has now. */
  connect(): void {
    if (this.isClosed) return;
    this.seats.reset();
    this.feed.connect(this.seats.streamToken);
  }

  close(): void {
    this.isClosed = true;
    this.stopEffects();
    this.feed.close();
    this.seats.close();
    this.playback.stop();
  }

  private async identifySeats(table: TableState, isSnapshot: boolean): Promise<boolean> {
    const areHeld = await this.seats.identify(table, isSnapshot);
    if (this.isClosed) return false;
    if (!areHeld) this.connect();
    return areHeld;
  }

  private update(table: TableState, isFirst: boolean): void {
    this.seats.save(table);
    if (table.secret) void noteEnd(this.id); // the game is over
    void this.start.advance(table);
    if (isFirst) this.playback.begin(this.feed.timeline);
    else this.playback.update(this.feed.timeline, this.actions.sending);
  }

  /** An effect: boards may have something to show at the end, such as goals that are revealed. */
  private conclude(): (() => void) | undefined {
    const { table } = this.feed;
    if (table && table.result === undefined) {
      this.sawGame = true;
      this.concluded = false;
    } else if (table && this.over && !this.concluded) {
      const reveal = reducedMotion() ? 0 : (pacingOf(table.game).reveal ?? 0);
      const timer = setTimeout(() => (this.concluded = true), this.sawGame ? Math.max(LAST_MOVE, reveal) : 0);
      return () => clearTimeout(timer);
    }
  }

  /** Show once more what happened since our own last move. */
  replay(): void {
    const { timeline } = this.feed;
    this.playback.replay(timeline.startOfNews(timeline.end, this.seats.own));
  }
}
