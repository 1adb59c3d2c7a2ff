// What a board is shown of a table. Each part changes by itself, so that only what has changed is drawn anew.

import type { Scene } from "$engine/contract.ts";
import type { Drawing, Effect, Facts, Options, ResultView, StepView } from "$core/http/types.ts";
import type { Session } from "./session.svelte.ts";
import { seatName } from "$core/describe/table.ts";

export class TableScene implements Scene {
  readonly game: string = $derived.by(() => this.session.table?.game ?? "");
  readonly options: Options = $derived.by(() => this.session.table?.options ?? {});
  readonly names: readonly string[] = $derived.by(() => this.session.table?.seats.map(seatName) ?? []);
  readonly bottom: number = $derived.by(() => this.session.seats.bottom);
  readonly you: number | null = $derived.by(() => this.session.seats.you);
  readonly moment: string = $derived.by(() => `${this.session.playback.moment} ${this.session.seats.you}`);
  readonly drawing: Drawing = $derived.by(() => this.session.playback.drawing);
  // A seat may see more of the present than the history shows.
  readonly facts: Facts = $derived.by(
    () => (this.session.live && this.session.table?.facts) || this.session.playback.facts,
  );
  readonly toMove: number | null = $derived.by(() => this.session.toMove);
  readonly steps: readonly StepView[] = $derived.by(() =>
    this.session.feed.timeline.steps.slice(0, this.session.playback.at),
  );
  readonly marks: ReadonlySet<string> = $derived.by(() => this.session.playback.marks);
  readonly effect: Effect | null = $derived.by(() => this.session.playback.effect);
  readonly result: ResultView | null = $derived.by(
    () => (this.session.live && this.session.table?.result) || null,
  );
  readonly mode = "play";

  constructor(private readonly session: Session) {}
}
