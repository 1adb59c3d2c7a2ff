// Where a page is scrolled to: at its top, at the element its address names, or where it was left. Pages load after
// they are gone to, so they are scrolled again while they grow.

const STORED = "benben.scroll"; // by the key of a history entry, for pages that are reloaded
const GROWING = 5_000; // ms in which a page may still grow
const BY_HAND = ["wheel", "touchstart", "pointerdown", "keydown"]; // from then on somebody scrolls by themselves

export class Scroller {
  private readonly left: Map<string, number>; // by history entry, in pixels
  private stop = () => {};

  constructor() {
    this.left = new Map(read());
    history.scrollRestoration = "manual"; // browsers restore before a page has loaded
    addEventListener("scroll", () => this.leave(), { passive: true });
    addEventListener("pagehide", () => this.store());
    this.restore();
  }

  /** Remember where this page is left. */
  leave(): void {
    const { scroll } = (history.state ?? {}) as { scroll?: string };
    const key = scroll ?? crypto.getRandomValues(new Uint32Array(1))[0]!.toString(36);
    if (!scroll) history.replaceState({ ...history.state, scroll: key }, "");
    this.left.set(key, scrollY);
  }

  /** A page was gone to. */
  begin(): void {
    this.stop();
    scrollTo(0, 0);
    this.toFragment();
  }

  /** A page was come back to, or reloaded. */
  restore(): void {
    this.stop();
    const top = this.left.get((history.state as { scroll?: string } | null)?.scroll ?? "");
    if (top === undefined) this.begin();
    else this.whileGrowing(() => scrollTo(0, top));
  }

  private toFragment(): void {
    const id = fragment();
    if (id) this.whileGrowing(() => document.getElementById(id)?.scrollIntoView());
  }

  /** Scroll now, and again whenever the page has become longer, until somebody scrolls. */
  private whileGrowing(scroll: () => void): void {
    const observer = new ResizeObserver(scroll);
    observer.observe(document.body);
    const timer = setTimeout(() => this.stop(), GROWING);
    this.stop = () => {
      this.stop = () => {};
      observer.disconnect();
      clearTimeout(timer);
      for (const kind of BY_HAND) removeEventListener(kind, stop);
    };
    const stop = () => this.stop();
    for (const kind of BY_HAND) addEventListener(kind, stop, { passive: true });
    scroll();
  }

  private store(): void {
    this.leave();
    try {
      sessionStorage.setItem(STORED, JSON.stringify([...this.left].slice(-50)));
    } catch {
      // It is full or forbidden: a reloaded page begins at its top.
    }
  }
}

function read(): [string, number][] {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? "[]") as [string, number][];
  } catch {
    return [];
  }
}

function fragment(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}
