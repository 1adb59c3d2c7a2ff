// The games there are, as the server describes them.

import { request } from "$core/http/api.ts";
import type { GameCard, Games } from "$core/http/types.ts";
import { words } from "$core/i18n/words.svelte.ts";

const SOON = 2_000; // ms
const AGAIN = 4_000;

class Shelf {
  cards = $state.raw<GameCard[]>([]);
  private thanked = $state.raw<Games["thanks"]>({});
  private asked: Promise<void> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Rejects soon if the server does not answer, so that it can be said; it is asked again all the same. */
  load(): Promise<void> {
    this.asked ??= request("GET /games", { patience: SOON }).then(
      ({ games, thanks }) => {
        this.cards = games;
        this.thanked = thanks;
      },
      (error: unknown) => {
        this.asked = null;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => void this.load().catch(() => {}), AGAIN);
        throw error;
      },
    );
    return this.asked;
  }

  card(name: string): GameCard | undefined {
    return this.cards.find((card) => card.name === name);
  }

  title(name: string): string {
    return this.card(name)?.titles[words.textLanguage] ?? name;
  }

  /** To those who put the sheets online. */
  get thanks(): string {
    return this.thanked[words.textLanguage] ?? "";
  }

  level(level: number): string {
    return this.cards[0]?.levels[level - 1]?.names[words.textLanguage] ?? String(level);
  }
}

export const shelf = new Shelf();
