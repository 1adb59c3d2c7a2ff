// The line at the board: what to do, why not, what just happened. It follows what is shown, and says
// nothing for longer than it is true.

import { announcer, type Manner } from "$core/a11y/announcer.svelte.ts";
import type { Readiness } from "$core/tables/readiness.svelte.ts";
import { refusalWords } from "$core/describe/errors.ts";
import type { TableView } from "$core/http/types.ts";
import { t } from "$core/i18n/words.svelte.ts";
import type { Session } from "./session.svelte.ts";
import { sound } from "$core/device/sounds.ts";
import { seatName, tellResult, tellShown, tellStep } from "$core/describe/table.ts";

const LONG_ENOUGH = 8_000; // ms to read something
const REASON_WAIT = 500; // ms in which the reason for a refusal usually arrives
const LOST = 1_500; // ms without a connection before it is told: not at every hiccup

/** Something that is said for a while. */
class Passing {
  text = $state("");
  private timer: ReturnType<typeof setTimeout> | undefined;

  say(text: string): void {
    this.text = text;
    clearTimeout(this.timer);
    if (text) this.timer = setTimeout(() => (this.text = ""), LONG_ENOUGH);
  }
}

export class StatusText {
  private readonly refusal = new Passing(); // why something cannot be done
  private readonly report = new Passing(); // what somebody did besides moving
  private readonly happened = new Passing(); // the last move of somebody else
  private broken = $state(""); // the rule that says so
  private hintText = $state(""); // a hint that was asked for, until something is chosen
  private illegalMove = $state<string | null>(null); // a move that somebody would like to know why not
  lost = $state(false); // the connection, for a while by now

  /** What is being shown just now, or whose turn it is. */
  readonly lead: string = $derived.by(() => this.leading());
  /** What to do about it, or what has come of it. */
  readonly more: string = $derived.by(
    () => this.note || this.news || this.lookedAt || this.hint || this.happened.text || this.asked,
  );

  private fallbackTimer: ReturnType<typeof setTimeout> | undefined; // until the general text is said
  private politeness: Manner = "assertive"; // of the reason that is awaited; polite once the general text was said
  private readonly stopWatching: () => void;

  constructor(
    private readonly session: Session,
    private readonly readiness: Readiness,
    private readonly yours: () => boolean,
    private readonly prompt: () => string, // what the board asks for
  ) {
    this.stopWatching = $effect.root(() => {
      $effect(() => this.watchConnection());
      $effect(() => this.explain());
      $effect(() => this.watchPrompt());
    });
  }

  close(): void {
    this.stopWatching();
    clearTimeout(this.fallbackTimer);
  }

  get note(): string {
    return this.refusal.text;
  }

  /** The rule because of which something cannot be done, while that is said; empty if it is none of the game's. */
  get rule(): string {
    return this.note && this.broken;
  }

  get news(): string {
    return this.report.text;
  }

  get hint(): string {
    return this.yours() ? this.hintText : "";
  }

  /** The move that led to what somebody looks back at. */
  private get lookedAt(): string {
    const { playback, feed, table } = this.session;
    const step = playback.isFollowing ? undefined : feed.timeline.steps[playback.at - 1];
    return table && step ? tellStep(table, step) : "";
  }

  private get asked(): string {
    const { seats, start, table } = this.session;
    if (seats.local.length === 0 && start.isOwnSeatFreed) return t("status.freed");
    if (seats.local.length === 0) return table?.result ? "" : t("status.watching");
    return this.yours() ? this.prompt() : "";
  }

  private lastPrompt = "";

  /** Clear the news when something is chosen: it has been seen. */
  private watchPrompt(): void {
    const prompt = this.prompt();
    if (prompt === this.lastPrompt) return;
    if (this.lastPrompt) this.happened.say("");
    this.lastPrompt = prompt;
  }

  /** Why something cannot be done, and which rule of the game it is. */
  refuse(text: string, rule = ""): void {
    sound("illegal");
    this.say(text, rule);
  }

  private say(text: string, rule = "", manner: Manner = "assertive"): void {
    this.refusal.say(text);
    this.broken = rule;
    announcer.say(text, manner);
  }

  /** A hint that was asked for; "": it has been heard. */
  showHint(text: string): void {
    this.hintText = text;
    if (text) announcer.say(text);
  }

  /** What somebody did besides moving. */
  showReport(text: string): void {
    this.report.say(text);
  }

  /** What somebody else has just played. */
  showMove(text: string): void {
    this.happened.say(text);
  }

  /** Another moment is shown: what was said of the one before is no longer true. */
  clearForNewMoment(): void {
    this.refusal.say("");
    this.happened.say("");
    this.illegalMove = null;
    clearTimeout(this.fallbackTimer);
    this.hintText = "";
  }

  clear(): void {
    this.clearForNewMoment();
    this.report.say("");
  }

  /** Somebody would like to know why a move may not be played. */
  explainIllegal(move: string): void {
    const { session } = this;
    if (!session.table || session.table.result || !session.playback.isFollowing) return;
    if (session.seats.local.length === 0) return this.refuse(t("note.watching"));
    if (!this.yours()) return this.refuse(t("note.not-your-turn"));
    sound("illegal");
    clearTimeout(this.fallbackTimer);
    this.illegalMove = move;
    this.politeness = "assertive";
    this.explain();
    // The reason may be on its way: if it comes soon, it is all that is said.
    if (this.illegalMove !== null)
      this.fallbackTimer = setTimeout(() => {
        this.politeness = "polite"; // what comes later interrupts nobody
        this.say(t("note.not-possible"));
      }, REASON_WAIT);
  }

  /** Say why the move may not be played; in general if no reason is known for it. */
  private explain(): void {
    if (this.illegalMove === null) return;
    const why = this.session.actions.refusal(this.illegalMove);
    if (why === null) return; // the reasons are not loaded yet
    this.illegalMove = null;
    clearTimeout(this.fallbackTimer);
    if (why) this.say(refusalWords(this.session.table!.game, why), why.rule, this.politeness);
    else if (this.politeness === "assertive") this.say(t("note.not-possible")); // not said before
  }

  private watchConnection(): (() => void) | undefined {
    this.lost = false;
    if (this.session.table === null || this.session.feed.isConnected) return;
    const timer = setTimeout(() => (this.lost = true), LOST);
    return () => clearTimeout(timer);
  }

  private leading(): string {
    const { session } = this;
    const { table, playback } = session;
    if (!table) return "";
    if (!playback.isFollowing) return t("status.looking-back");
    if (session.actions.isRetrying) return t("status.sending");
    if (this.lost) return t("connection.lost");
    if (!session.live) return this.showing(table);
    if (table.result)
      return session.concluded ? tellResult(table, session.seats.local).title : t("status.over");
    if (this.hint) return t("hint");
    if (this.yours()) return t("status.your-turn");
    if (table.to_move === undefined) return t("status.dice");
    return this.waitingFor(table.to_move);
  }

  /** What is being shown, or was just now. */
  private showing(table: TableView): string {
    const { playback, feed, actions } = this.session;
    const { at, effect } = playback;
    if (effect === null) return at > 0 ? tellStep(table, feed.timeline.steps[at - 1]!) : "";
    const step = feed.timeline.steps[at] ?? actions.sending;
    return step ? tellShown(table, step, effect) : "";
  }

  private waitingFor(number: number): string {
    const { game, seats } = this.session.table!;
    const name = seatName(seats[number], number);
    if (!seats[number]?.level) return t("status.their-turn", { name });
    const n = this.readiness.bots(game);
    return n > 0 ? t("status.bot-preparing", { name, n }) : t("status.bot-thinking", { name });
  }
}
