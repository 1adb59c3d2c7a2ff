// Whose hand it is. A drawing has one hand, the mover's, and does not say who moves: the position in
// text says it for the present, effects say it while they are shown, and we remember both for
// when somebody looks back.

import type { Drawing, Effect } from "../../lib/types.ts";

export class Turns {
  private seen = new Map<string, number>();
  private last: number | null = null;

  /** The seat that moves in a drawing, if it can be known; `view` is given for the present only. */
  of(drawing: Drawing, effect: Effect | null, view: string | undefined): number | null {
    const key = JSON.stringify(drawing);
    if (effect) this.last = effect[4] ?? this.last;
    else if (view) this.last = view.split(" ")[3] === "w" ? 0 : 1;
    else return this.seen.get(key) ?? null;
    if (this.last !== null) this.seen.set(key, this.last);
    return this.last;
  }
}
