// Something asked for again and again, for as long as it is looked at.

import { ApiError } from "./api.ts";

const SOON = 2_000; // ms after a trouble

/** Whether the server refused a request for good: the same request will get the same answer. */
const isFinal = ({ status }: ApiError) => status >= 400 && status < 500 && status !== 408 && status !== 429;

export class Polled<T> {
  value = $state.raw<T | null>(null);
  trouble = $state.raw<ApiError | null>(null); // what went wrong the last time
  private timer: ReturnType<typeof setTimeout> | undefined;
  private stopped = false;
  private asking = false;

  /** With `every` = 0 it is asked for until there is an answer. A request that is refused for good is not repeated. */
  constructor(
    private readonly fetched: () => Promise<T>,
    private readonly every: number,
  ) {
    document.addEventListener("visibilitychange", this.again);
    addEventListener("online", this.again);
    void this.ask();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    document.removeEventListener("visibilitychange", this.again);
    removeEventListener("online", this.again);
  }

  again = (): void => void this.ask();

  private async ask(): Promise<void> {
    if (this.asking || this.stopped || document.hidden) return;
    if (this.every === 0 && this.value !== null) return;
    clearTimeout(this.timer);
    this.asking = true;
    let next = this.every;
    try {
      this.value = await this.fetched();
      this.trouble = null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.trouble = error;
      if (isFinal(error)) return this.stop();
      next = Math.max(SOON, error.retryAfter * 1000);
    } finally {
      this.asking = false;
    }
    if (next > 0 && !this.stopped) this.timer = setTimeout(this.again, next);
  }
}
