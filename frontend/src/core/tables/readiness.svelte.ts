// Which games can be played: after its first start a server prepares them one by one.

import { requestOnce, ApiError } from "$core/http/api.ts";
import { shelf } from "./game-cards.svelte.ts";
import type { GameReadiness } from "$core/http/types.ts";
import { t } from "$core/i18n/words.svelte.ts";

const AGAIN = 2_000; // ms

/** Asks until bots play every game, for as long as it is looked at. */
export class Readiness {
  private games = $state.raw<GameReadiness[]>([]);
  private timer: ReturnType<typeof setTimeout> | undefined;
  private stopped = false;
  /** Whether some game cannot be played at all. */
  readonly preparing: boolean = $derived(this.games.some(({ ready }) => ready === "no"));

  constructor() {
    void this.look();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  /** Seconds until people can play a game; 0 if they can, or nobody knows. */
  rules(game: string): number {
    return this.until(game, "no");
  }

  /** Seconds until bots play a game that people can play. */
  bots(game: string): number {
    return this.until(game, "people");
  }

  words(game: string): string {
    const n = this.rules(game);
    return n > 0 ? t("preparing", { game: shelf.title(game), n }) : "";
  }

  private until(game: string, ready: GameReadiness["ready"]): number {
    return this.games.find((each) => each.game === game && each.ready === ready)?.seconds ?? 0;
  }

  private async look(): Promise<void> {
    try {
      this.games = (await requestOnce("GET /server")).games;
      if (this.games.every(({ ready }) => ready === "bots")) return;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error; // the server does not answer: it may the next time
    }
    if (!this.stopped) this.timer = setTimeout(() => void this.look(), AGAIN);
  }
}
