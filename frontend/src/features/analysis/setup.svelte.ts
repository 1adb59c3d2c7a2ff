// A position that is being set up, by hand or as a text. The server says whether it is possible, and why not.

import { NO_OFFER, sceneOf, type Offer, type Scene } from "$engine/contract.ts";
import { REMOVE, type Draft, type Editing } from "$engine/editing.ts";
import { ApiError } from "$core/http/api.ts";
import type { Options, PositionShown } from "$core/http/types.ts";
import { errorMessage } from "$core/describe/errors.ts";
import { lookUp, t } from "$core/i18n/words.svelte.ts";
import type { AnalysisBoard } from "./board.svelte.ts";

const REST = 200; // ms until the server is asked about what is changed again and again

export class Setup {
  draft: Draft = $state.raw({ drawing: {}, values: {} });
  text = $state("");
  options: Options = $state.raw({});
  bottom = $state(0);
  piece = $state(REMOVE);
  state = $state<"checking" | "possible" | "impossible">("checking");
  why = $state(""); // it is impossible
  private facts: PositionShown["facts"] = $state.raw({});
  private changes = $state(0);
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly board: AnalysisBoard,
    readonly editing: Editing,
    shown: PositionShown,
    bottom: number,
  ) {
    this.bottom = bottom;
    this.begin(shown);
    this.piece = this.editing.pieces(this.draft)[0]?.letter ?? REMOVE;
  }

  close(): void {
    clearTimeout(this.timer);
    this.changes++;
  }

  get players(): number {
    return Number(this.options.players);
  }

  /** Begin with what the server has shown. */
  private begin({ view, drawing, facts, options }: PositionShown): void {
    this.changes++;
    this.options = options;
    this.facts = facts;
    this.draft = this.editing.read(view, drawing);
    this.text = view;
    this.state = "possible";
    this.why = "";
    if (this.bottom >= this.players) this.bottom = 0;
  }

  /** A new deal, for so many players and as was chosen. */
  async deal(chosen: Options): Promise<void> {
    const change = ++this.changes;
    this.state = "checking";
    const { players, ...options } = chosen;
    const seed = Math.floor(Math.random() * 2 ** 50);
    await this.asked(
      change,
      () => this.board.look({ players, options, seed }),
      (shown) => this.begin(shown),
    );
  }

  tap(thing: string): void {
    this.change(this.editing.put(this.draft, thing, this.piece, this.bottom));
  }

  set(field: string, value: string): void {
    this.change(this.editing.set(this.draft, field, value));
  }

  clear(): void {
    this.change(this.editing.clear(this.draft));
  }

  private change(draft: Draft): void {
    this.draft = draft;
    this.text = this.editing.write(draft);
    this.check((shown) => (this.facts = shown.facts));
  }

  /** Somebody has written or pasted a text. */
  typed(text: string): void {
    this.text = text.trim().replace(/\s+/g, " ");
    this.check((shown) => {
      this.facts = shown.facts;
      this.draft = this.editing.read(shown.view, shown.drawing);
    });
  }

  private check(take: (shown: PositionShown) => void): void {
    const change = ++this.changes;
    clearTimeout(this.timer);
    this.state = "checking";
    this.timer = setTimeout(() => {
      const { players, ...options } = this.options;
      const position = this.text;
      void this.asked(change, () => this.board.look({ players, options, position }), take);
    }, REST);
  }

  private async asked(
    change: number,
    look: () => Promise<PositionShown>,
    take: (shown: PositionShown) => void,
  ): Promise<void> {
    try {
      const shown = await look();
      if (change !== this.changes) return;
      take(shown);
      this.state = "possible";
      this.why = "";
    } catch (error) {
      if (change !== this.changes) return;
      this.state = "impossible";
      this.why = offenceWords(this.board.game, error);
    }
  }

  // ---- What the board is given

  readonly scene: Scene = $derived.by(() => {
    const { draft, editing, players } = this;
    return sceneOf({
      mode: "study",
      game: this.board.game,
      options: this.options,
      names: Array.from({ length: players }, (_, seat) => t("seat.number", { n: seat + 1 })),
      bottom: this.bottom,
      moment: `set up ${this.changes}`,
      drawing: draft.drawing,
      facts: this.state === "possible" ? this.facts : editing.facts(draft, this.facts),
      toMove: editing.turn(draft),
    });
  });

  readonly offer: Offer = {
    ...NO_OFFER,
    edit: (thing) => this.tap(thing),
  };
}

/** Why there is no such position, in words. */
export function offenceWords(game: string, error: unknown): string {
  if (error instanceof ApiError) {
    const { offence = "" } = error.detail;
    const why = lookUp(`analysis.offence.${game}.${offence}`) ?? lookUp(`analysis.offence.${offence}`);
    const form = error.code === "bad-notation" ? lookUp(`analysis.form.${game}`) : undefined;
    if (why ?? form) return (why ?? form)!;
    if (error.code === "impossible-position") return t("analysis.offence");
  }
  return errorMessage(error, game);
}
