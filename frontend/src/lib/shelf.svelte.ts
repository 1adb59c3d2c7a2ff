// The games there are, as the house tells of them.

import { ask } from "./api.ts";
import type { GameCard } from "./types.ts";
import { words } from "./words.svelte.ts";

class Shelf {
  cards = $state.raw<GameCard[]>([]);
  private asked: Promise<void> | null = null;

  load(): Promise<void> {
    this.asked ??= ask<{ games: GameCard[] }>("/games").then(
      ({ games }) => void (this.cards = games),
      (error: unknown) => {
        this.asked = null;
        throw error;
      },
    );
    return this.asked;
  }

  card(name: string): GameCard | undefined {
    return this.cards.find((card) => card.name === name);
  }

  title(name: string): string {
    return this.card(name)?.titles[words.language] ?? name;
  }

  level(level: number): string {
    return this.cards[0]?.levels[level - 1]?.names[words.language] ?? String(level);
  }
}

export const shelf = new Shelf();
