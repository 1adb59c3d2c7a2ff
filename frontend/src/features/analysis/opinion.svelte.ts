// What the bots think of the position that is looked at, as it comes. One is asked for at a time, and none while
// nobody sees the page.

import { backOff, randomHex, openResponse, sleep, ApiError } from "$core/http/api.ts";
import { readEvents, type Message } from "$core/http/read-events.ts";
import { acquireStreamSlot } from "$core/http/stream-slots.ts";
import type { MoveOpinion, Opinion } from "$core/http/types.ts";
import { ordered, ranked } from "./describe.ts";

export interface Asked {
  game: string;
  players: number;
  options: Record<string, string | number>;
  position: string;
  moves: readonly string[];
}

const REST = 250; // ms on a move before its opinion is requested
const SILENCE = 40; // s without an answer, or even a keep-alive
const MOST_KNOWN = 100;
const MOST_TRIES = 5;

export class Opinions {
  on = $state(true);
  latest = $state.raw<Opinion | null>(null);
  /** The moves of the latest in the order they are listed in: the best first, unless the order is held. */
  moves = $state.raw<readonly MoveOpinion[]>([]);
  /** Nothing is wanted, it comes, it is all there, or it cannot be had. */
  state = $state<"off" | "coming" | "done" | "failed">("off");
  trouble = $state.raw<ApiError | null>(null);
  private readonly reader = randomHex(); // identifies this page among those of an address
  private readonly known = new Map<string, Opinion>(); // those that are done
  private asked: Asked | null = null;
  private held = false; // the order of the moves
  private abort = new AbortController();

  constructor() {
    document.addEventListener("visibilitychange", this.seen);
  }

  stop(): void {
    document.removeEventListener("visibilitychange", this.seen);
    this.abort.abort();
  }

  /** Ask of another position; of none with null. */
  ask(asked: Asked | null): void {
    this.asked = asked;
    this.held = false;
    this.show(null);
    this.begin();
  }

  /** Keep the moves of this position in their order, so that none is moved away while somebody aims at it. */
  holdOrder(): void {
    this.held = true;
  }

  releaseOrder(): void {
    if (!this.held) return;
    this.held = false;
    this.show(this.latest);
  }

  toggle(): void {
    this.on = !this.on;
    this.begin();
  }

  again(): void {
    this.begin();
  }

  private readonly seen = (): void => {
    if (document.hidden) this.abort.abort();
    else if (this.state === "coming") this.begin();
  };

  private show(opinion: Opinion | null): void {
    const best = opinion ? ranked(opinion) : [];
    this.latest = opinion;
    this.moves = this.held ? ordered(best, this.moves) : best;
  }

  private begin(): void {
    this.abort.abort();
    this.abort = new AbortController();
    this.trouble = null;
    const { asked } = this;
    if (!asked || !this.on) {
      this.state = "off";
      this.show(null);
      return;
    }
    const key = JSON.stringify(asked);
    const known = this.known.get(key);
    if (known) {
      this.show(known);
      this.state = "done";
      return;
    }
    this.state = "coming";
    if (!document.hidden) void this.run(asked, key, this.abort.signal);
  }

  private async run(asked: Asked, key: string, signal: AbortSignal): Promise<void> {
    await sleep(REST);
    for (let tried = 1; !signal.aborted; tried++) {
      try {
        await this.listen(asked, signal);
        break;
      } catch (error) {
        if (signal.aborted) return;
        const met = error instanceof ApiError ? error : new ApiError(0, "no-answer", String(error));
        const passing = [0, 429, 503].includes(met.status);
        if (!passing || tried === MOST_TRIES) {
          this.trouble = met;
          this.state = "failed";
          return;
        }
        await sleep(Math.max(met.retryAfter * 1000, backOff(tried, 500, 8000)));
      }
    }
    if (signal.aborted || !this.latest) return;
    this.state = "done";
    this.known.set(key, this.latest);
    if (this.known.size > MOST_KNOWN) this.known.delete(this.known.keys().next().value!);
  }

  /** Until the last one is there; ApiError if it does not come. */
  private async listen({ game, moves, ...position }: Asked, signal: AbortSignal): Promise<void> {
    const slot = await acquireStreamSlot(false);
    if (!slot) throw new ApiError(429, "too-many-streams", "too many pages are open");
    if (signal.aborted) return slot.release(); // another position is looked at by now
    const cut = new AbortController();
    const end = () => cut.abort();
    signal.addEventListener("abort", end);
    const watch = setTimeout(end, SILENCE * 1000);
    let done = false;
    try {
      const body = { ...position, moves: [...moves] };
      const asked = { path: { name: game }, body, headers: { "Benben-Reader": this.reader } };
      const response = await openResponse("POST /games/{name}/opinions", asked, cut.signal);
      clearTimeout(watch);
      const onMessage = ({ data }: Message) => {
        const opinion = JSON.parse(data) as Opinion;
        this.show(opinion);
        done = opinion.done;
      };
      await readEvents(response, { signal: cut.signal, onMessage, silenceSeconds: SILENCE });
    } finally {
      clearTimeout(watch);
      signal.removeEventListener("abort", end);
      cut.abort();
      slot.release();
    }
    if (!done) throw new ApiError(0, "no-answer", "the stream broke off");
  }
}
