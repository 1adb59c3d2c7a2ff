// A move in the making: a colour or a place is chosen first, then the other; or a Pièce is carried.

import type { Effect, MoveView, Table } from "../../lib/types.ts";
import { moveOf } from "./reading.ts";

export interface Thing {
  kind: "colour" | "place";
  id: string;
}

interface Given {
  table: Table;
  legal: MoveView[];
  live: boolean;
  play: (move: string) => void;
  why: (move: string) => void;
}

export const asColour = (id: string): Thing => ({ kind: "colour", id });
export const asPlace = (id: string): Thing => ({ kind: "place", id });

const FAR = 8; // px, from where a press is a drag

export class Choosing {
  held = $state.raw<Thing | null>(null); // chosen first
  over = $state.raw<Thing | null>(null); // what the mouse, the focus or a first tap is on
  armed = $state<string | null>(null); // the move that a second tap plays
  carried = $state.raw<{ colour: string; x: number; y: number } | null>(null); // where on the screen

  // The house's list stays while a move is on its way, so that its preview does not flicker.
  readonly known: Map<string, Effect[]> = $derived.by(() => {
    const { live, table } = this.given();
    return new Map((live ? (table.legal ?? []) : []).map(({ move, effects }) => [move, effects]));
  });
  private readonly playable: Set<string> = $derived.by(() => new Set(this.given().legal.map(({ move }) => move)));
  readonly aimed: string | null = $derived.by(() => this.over && this.pair(this.over));
  readonly effects: Effect[] | undefined = $derived.by(() => (this.aimed ? this.known.get(this.aimed) : undefined));

  private pointer = "mouse";
  private grabbed: { colour: string; x: number; y: number } | null = null;
  private dragged = false; // the click that ends a drag is none

  constructor(private readonly given: () => Given) {}

  /** The move that a thing makes together with the chosen one. */
  pair(thing: Thing): string | null {
    if (!this.held || this.held.kind === thing.kind) return null;
    return this.held.kind === "colour" ? moveOf(this.held.id, thing.id) : moveOf(thing.id, this.held.id);
  }

  isHeld({ kind, id }: Thing): boolean {
    return this.held?.kind === kind && this.held.id === id;
  }

  letGo(): void {
    this.held = this.over = this.armed = this.carried = this.grabbed = null;
  }

  // ---- Taps, clicks and keys

  tap(thing: Thing, event: MouseEvent): void {
    if (this.dragged) {
      this.dragged = false;
      return;
    }
    const move = this.pair(thing);
    const first = event.detail > 0 && this.pointer === "touch" && this.armed !== move;
    this.over = thing;
    if (move === null) this.choose(thing);
    else if (first && this.playable.has(move)) this.armed = move;
    else this.try(move);
  }

  private choose(thing: Thing): void {
    const again = this.isHeld(thing);
    this.held = this.armed = null;
    const { legal } = this.given();
    if (again || (thing.kind === "place" && legal.length === 0)) return; // nothing more than a look
    if (thing.kind === "place" || legal.some(({ move }) => move.startsWith(moveOf(thing.id, "")))) this.held = thing;
    else this.refuse(moveOf(thing.id, "1"));
  }

  private try(move: string): void {
    if (this.playable.has(move)) this.given().play(move);
    else this.refuse(move);
  }

  /** Ask why not; unless it is legal and only the connection is not ready. */
  private refuse(move: string): void {
    const { table, why } = this.given();
    if (!table.legal?.some((seen) => seen.move === move)) why(move);
  }

  /** A mouse or a visible focus points; a finger does so by its first tap. */
  point(thing: Thing | null, event: Event): void {
    if (event instanceof PointerEvent && event.pointerType !== "mouse") return;
    if (event instanceof FocusEvent && thing && !(event.currentTarget as Element).matches(":focus-visible")) return;
    if (thing || !this.armed) this.over = thing;
  }

  // ---- A Pièce carried by mouse or finger

  /** Not every browser tells a click's kind of pointer, so it is noted when it goes down. */
  press(event: PointerEvent): void {
    this.pointer = event.pointerType;
    this.dragged = false;
  }

  grab(colour: string, event: PointerEvent): void {
    const able = this.given().legal.some(({ move }) => move.startsWith(moveOf(colour, "")));
    if (event.button === 0 && able) this.grabbed = { colour, x: event.clientX, y: event.clientY };
  }

  carry({ clientX: x, clientY: y }: PointerEvent): void {
    if (!this.grabbed) return;
    if (!this.carried && Math.hypot(x - this.grabbed.x, y - this.grabbed.y) < FAR) return;
    this.carried = { colour: this.grabbed.colour, x, y };
    this.held = asColour(this.grabbed.colour);
    this.armed = null;
    this.over = beneath(x, y);
  }

  drop(event: PointerEvent): void {
    this.grabbed = null;
    if (!this.carried) return;
    this.carried = null;
    this.dragged = true;
    const target = event.type === "pointerup" ? beneath(event.clientX, event.clientY) : null;
    const move = target && this.pair(target);
    if (move) this.try(move);
    else this.letGo();
  }
}

function beneath(x: number, y: number): Thing | null {
  const place = document.elementFromPoint(x, y)?.closest("[data-place]")?.getAttribute("data-place");
  return place ? asPlace(place) : null;
}
