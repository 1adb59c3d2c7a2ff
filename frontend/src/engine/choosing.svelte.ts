// The one way of choosing a move, on every board: what is tapped, what is previewed, what is played.
//
// A board says of every move which things are tapped to choose it, as `["o", "3"]` (a colour and a
// place) or `["d1"]`. Things are tapped in any order, and what is chosen leaves some of the moves. The
// move that is chosen in full, or that the board prefers among those left, is previewed, and the next
// tap on the same thing plays it. A mouse and the focus preview what they point at: if nothing else is
// left, a click or Enter plays it at once.

import type { Attachment } from "svelte/attachments";
import { isDialogOpen, KEYS } from "$core/a11y/shortcuts.ts";
import type { Choice } from "$core/http/types.ts";
import type { BoardProps } from "./contract.ts";
import { next, STEPS } from "./roving.ts";

/** How the moves of a game are chosen. */
export interface Ways {
  /** The things one taps to choose a move; those of a kind at the same place of the list. */
  things: (move: string) => readonly string[];
  /** Of the moves that some things leave, the one to preview although it is not chosen in full. */
  prefer?: (left: readonly Choice[], things: readonly string[]) => Choice | null;
  /** Whether a tap on a thing, besides those that chose it, also plays the move that is previewed. */
  confirms?: (move: Choice, thing: string) => boolean;
  /** The move somebody means by a thing that no legal move has; null: none, it is only looked at. */
  meant: (chosen: readonly string[], thing: string) => string | null;
}

type Handlers = ReturnType<Choosing["handle"]>;

export class Choosing {
  chosen = $state.raw<readonly string[]>([]); // things, as they were tapped
  over = $state.raw<string | null>(null); // the thing that is pointed at
  private last = $state.raw<string | null>(null); // the thing that was tapped last
  private picked = $state.raw<string | null>(null); // a move, of those that are left
  private pointer = "mouse"; // not every browser gives the pointer type of a click

  private readonly things: ReadonlyMap<string, readonly string[]> = $derived.by(
    () => new Map(this.given().offer.moves.map(({ move }) => [move, this.ways.things(move)])),
  );

  /** The moves that what is chosen leaves. */
  readonly left: readonly Choice[] = $derived.by(() => this.having(this.chosen));

  /** The move that is chosen. */
  readonly move: Choice | null = $derived.by(() => {
    if (this.chosen.length === 0) return null;
    return this.left.find(({ move }) => move === this.picked) ?? this.settled(this.chosen);
  });

  /** The move to preview: by what is pointed at, as it is chosen, or as a hint. */
  readonly preview: Choice | null = $derived.by(() => {
    const pointed = this.over === null || this.chosen.includes(this.over) ? null : this.by(this.over);
    const { hint } = this.given().overlay;
    return pointed ?? this.move ?? (this.chosen.length === 0 && hint ? this.find(hint) : null);
  });

  /** Whether the next tap on the same thing plays. */
  readonly ready: boolean = $derived.by(() => this.move !== null && this.last !== null);

  constructor(
    private readonly given: () => BoardProps,
    private readonly ways: Ways,
  ) {
    let moment: string | null = null;
    $effect.pre(() => {
      const now = given().scene.moment;
      if (moment !== null && now !== moment) this.letGo();
      moment = now;
    });
  }

  /** Whether a thing is part of a move that what is chosen leaves. */
  can(thing: string): boolean {
    return this.having([...this.chosen, thing]).length > 0;
  }

  /** The move that a thing chooses together with what is chosen. */
  by(thing: string): Choice | null {
    const chosen = this.with(thing);
    return chosen && this.settled(chosen);
  }

  letGo(): void {
    this.chosen = [];
    this.over = this.last = this.picked = null;
  }

  /** Begin anew with a thing, as when it is grabbed. */
  take(thing: string): void {
    this.letGo();
    this.chosen = [thing];
  }

  /** Pick one of the moves that are left. */
  pick(move: string): void {
    this.picked = move;
    this.last ??= this.chosen.at(-1) ?? null;
  }

  /** Play the move that is chosen. */
  confirm(): void {
    if (this.move) this.play(this.move.move);
  }

  /** Play a move, or have it said why not. */
  play(move: string): void {
    const { offer } = this.given();
    if (offer.state === "sending") return; // what it would be refused for may be over in a moment
    if (this.find(move)) offer.play(move);
    else offer.explain(move);
  }

  /** A tap, a click or Enter; `pointed`: what it does was previewed already. */
  tap(thing: string, pointed = false): void {
    const { offer, overlay } = this.given();
    if (offer.edit) return offer.edit(thing);
    if (offer.state === "sending" || overlay.touchable?.has(thing) === false) return;
    const again = thing === this.last || (this.move !== null && this.ways.confirms?.(this.move, thing));
    if (this.ready && again) return this.confirm();
    if (this.chosen.includes(thing)) return this.drop(thing);
    const chosen = this.with(thing);
    this.picked = null;
    if (chosen === null) {
      const meant = this.ways.meant(this.chosen, thing);
      if (meant !== null) offer.explain(meant);
      else this.over = thing;
      return;
    }
    this.chosen = chosen;
    this.last = thing;
    if (this.move && this.left.length === 1 && pointed && !offer.confirmEveryMove) this.confirm();
  }

  private drop(thing: string): void {
    this.chosen = this.chosen.filter((each) => each !== thing);
    this.last = this.picked = null;
  }

  private find(move: string): Choice | null {
    return this.given().offer.moves.find((seen) => seen.move === move) ?? null;
  }

  private having(things: readonly string[]): readonly Choice[] {
    const { moves } = this.given().offer;
    return moves.filter(({ move }) => things.every((thing) => this.things.get(move)!.includes(thing)));
  }

  /**
   * What would be chosen by tapping a thing. It takes the place of what is of its kind; if that was chosen
   * first, or if it means a move by itself, we may begin anew with it. Otherwise what was chosen first stays:
   * it is asked why it cannot be.
   */
  private with(thing: string): readonly string[] | null {
    const kind = this.kind(thing);
    const ways = [
      [...this.chosen, thing],
      [...this.chosen.filter((each) => this.kind(each) !== kind), thing],
    ];
    const [first] = this.chosen;
    const meant = this.ways.meant(this.chosen, thing);
    if ((first && this.kind(first) === kind) || (meant && this.find(meant))) ways.push([thing]);
    return ways.find((things) => this.having(things).length > 0) ?? null;
  }

  /** Where a thing stands among those of a move; -1: no move has it. */
  private kind(thing: string): number {
    for (const things of this.things.values()) if (things.includes(thing)) return things.indexOf(thing);
    return -1;
  }

  private settled(things: readonly string[]): Choice | null {
    const left = this.having(things);
    const [only] = left;
    if (left.length === 1 && this.things.get(only!.move)!.length === things.length) return only!;
    return left.length > 0 ? (this.ways.prefer?.(left, things) ?? null) : null;
  }

  // ---- On the screen

  /** What an element needs that is a thing; several may be the same thing, as two dice alike. */
  on(thing: string): Handlers {
    return (this.handlers[thing] ??= this.handle(thing)); // the same ones: others would be put in their place
  }

  private readonly handlers: Record<string, Handlers> = {};

  private handle(thing: string) {
    const point = ({ pointerType }: PointerEvent) => {
      if (pointerType !== "touch") this.over = thing;
    };
    const away = () => {
      if (this.over === thing) this.over = null;
    };
    return {
      "data-thing": thing,
      onclick: ({ detail }: MouseEvent) => this.tap(thing, detail === 0 || this.pointer !== "touch"),
      onpointerdown: ({ pointerType }: PointerEvent) => {
        this.pointer = pointerType;
      },
      onpointerenter: point,
      onpointermove: point, // also when we have let go beneath it
      onpointerleave: away,
      onfocus: ({ currentTarget }: FocusEvent) => {
        if ((currentTarget as Element).matches(":focus-visible")) this.over = thing;
      },
      onblur: away,
    };
  }

  /**
   * For the element around some things. Arrow keys lead from one to the next as they lie on the screen;
   * Tab leads to the one that was in focus last. Escape lets go, wherever the focus is.
   */
  readonly around: Attachment<HTMLElement | SVGElement> = (root) => {
    let current: Element | null = null;
    const things = () => [...root.querySelectorAll<HTMLElement | SVGElement>("[data-thing]")];
    const rove = () => {
      const all = things();
      if (!all.some((each) => each === current)) current = all[0] ?? null;
      for (const each of all) {
        const index = each === current ? "0" : "-1";
        if (each.getAttribute("tabindex") !== index) each.setAttribute("tabindex", index);
      }
    };
    const thingOf = (event: Event) =>
      (event.target as Element).closest<HTMLElement | SVGElement>("[data-thing]");
    const focused = (event: Event) => {
      current = thingOf(event) ?? current;
      rove();
    };
    const pressed = (event: Event) => {
      const { key, altKey, ctrlKey, metaKey } = event as KeyboardEvent;
      const thing = thingOf(event);
      if (!thing || altKey || ctrlKey || metaKey) return;
      if (STEPS.has(key)) next(things(), thing, key).focus();
      else if (KEYS.choose.includes(key) && !(thing instanceof HTMLButtonElement)) {
        thing.dispatchEvent(new MouseEvent("click", { bubbles: true }));
      } else return;
      event.preventDefault();
    };
    const escaped = (event: KeyboardEvent) => {
      if (KEYS["let-go"].includes(event.key) && !isDialogOpen()) this.letGo();
    };
    const watcher = new MutationObserver(rove);
    watcher.observe(root, { childList: true, subtree: true });
    if (root instanceof SVGElement) root.tabIndex = -1; // Chromium leads to whatever listens to the focus
    root.addEventListener("focusin", focused);
    root.addEventListener("keydown", pressed);
    addEventListener("keydown", escaped);
    rove();
    return () => {
      watcher.disconnect();
      root.removeEventListener("focusin", focused);
      root.removeEventListener("keydown", pressed);
      removeEventListener("keydown", escaped);
    };
  };
}
