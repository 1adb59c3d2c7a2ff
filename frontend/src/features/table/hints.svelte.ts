// Hints: from where to look, over why, to what to play. Asked for, and only of the moment that is shown.

import { NO_OVERLAY, type Overlay } from "$engine/contract.ts";
import { postAction } from "$core/http/api.ts";
import type { Hint, TableView } from "$core/http/types.ts";
import type { Session } from "./session.svelte.ts";

const STRENGTHS = ["nudge", "idea", "move"] as const;

/** Whether a seat plays against bots only: elsewhere nobody is given hints. */
export function playsBots({ seats }: TableView, you: number): boolean {
  return seats.every(({ level, taken }, seat) => seat === you || (level && !taken));
}

export class Hints {
  given = $state.raw<Hint | null>(null); // of this moment
  asking = $state(false);
  private moment = 0; // which one it is

  constructor(private readonly session: Session) {}

  /** Whether one can be asked for now. */
  readonly possible: boolean = $derived.by(() => {
    const { table, seats, actions } = this.session;
    return table !== null && seats.you !== null && actions.legal.length > 0 && playsBots(table, seats.you);
  });

  readonly overlay: Overlay = $derived.by(() => {
    const { given } = this;
    if (!given || !this.possible) return NO_OVERLAY;
    return { ...NO_OVERLAY, highlights: new Set(given.places), hint: given.move?.move ?? null };
  });

  /** The next hint, each time a stronger one; null if the moment has passed meanwhile. */
  async ask(): Promise<Hint | null> {
    const { seats, table, id } = this.session;
    if (!this.possible || this.asking || !seats.token || !table) return null;
    const had = this.given ? STRENGTHS.indexOf(this.given.strength) : -1;
    const strength = STRENGTHS[Math.min(had + 1, STRENGTHS.length - 1)];
    const { moment } = this;
    this.asking = true;
    try {
      const { hint } = await postAction(id, "hints", seats.token, { strength });
      if (moment !== this.moment) return null;
      this.given = hint;
      return hint;
    } finally {
      this.asking = false;
    }
  }

  /** Another moment is shown: nothing of what was said is true of it. */
  clear(): void {
    this.moment++;
    this.given = null;
  }
}
