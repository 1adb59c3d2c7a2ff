// A piece carried from the stock to a place, by mouse or finger.

import type { Choosing } from "$engine/choosing.svelte.ts";
import { isPlace } from "./ways.ts";

const FAR = 8; // px, from where a press is a drag

interface Carried {
  colour: string;
  x: number; // on the screen
  y: number;
}

export class Carrying {
  private grabbed: Carried | null = null;
  private dragged = $state.raw<Carried | null>(null);

  /** What is carried, unless it was let go meanwhile. */
  readonly carried: Carried | null = $derived.by(() =>
    this.dragged && this.choosing.chosen.includes(this.dragged.colour) ? this.dragged : null,
  );

  /** `able`: whether a colour may be played. */
  constructor(
    private readonly choosing: Choosing,
    private readonly able: (colour: string) => boolean,
  ) {}

  grab({ button, target, clientX: x, clientY: y }: PointerEvent): void {
    const colour = thingOf(target as Element);
    if (button === 0 && colour && this.able(colour)) this.grabbed = { colour, x, y };
  }

  move({ clientX: x, clientY: y }: PointerEvent): void {
    if (!this.grabbed) return;
    const { colour } = this.grabbed;
    if (!this.dragged) {
      if (Math.hypot(x - this.grabbed.x, y - this.grabbed.y) < FAR) return;
      this.choosing.take(colour);
    }
    this.dragged = { colour, x, y };
    this.choosing.over = beneath(x, y);
  }

  drop({ type, clientX, clientY }: PointerEvent): void {
    const { carried, choosing } = this;
    this.grabbed = this.dragged = null;
    if (!carried) return;
    const place = type === "pointerup" ? beneath(clientX, clientY) : null;
    choosing.over = null;
    if (place === null) choosing.letGo();
    else choosing.tap(place, true);
  }
}

/** The place at a point of the screen. */
function beneath(x: number, y: number): string | null {
  const thing = thingOf(document.elementFromPoint(x, y));
  return thing && isPlace(thing) ? thing : null;
}

function thingOf(element: Element | null): string | null {
  return element?.closest("[data-thing]")?.getAttribute("data-thing") ?? null;
}
