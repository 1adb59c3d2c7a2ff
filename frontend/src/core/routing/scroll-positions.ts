// Scroll position of a page: its top, the element that the fragment of its address names, or where the user left it.
// Pages load after navigation, so they are scrolled again while they grow.

const STORED = "benben.scroll"; // by the key of a history entry, for pages that are reloaded
const RESTORE_TIMEOUT_MS = 5_000; // a page may grow for so long
const USER_SCROLL_EVENTS = ["wheel", "touchstart", "pointerdown", "keydown"]; // after these the page is left alone

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

  /** After navigating to a page. */
  begin(): void {
    this.stop();
    scrollTo(0, 0);
    this.toFragment();
  }

  /** After going back or reloading. */
  restore(): void {
    this.stop();
    const top = this.left.get((history.state as { scroll?: string } | null)?.scroll ?? "");
    if (top === undefined) this.begin();
    else this.whileGrowing(() => scrollTo(0, top));
  }

  /** Scroll to the element of the fragment, and focus it once: for keyboards and screen readers. */
  private toFragment(): void {
    const id = fragment();
    if (!id) return;
    let focused: HTMLElement | null = null;
    this.whileGrowing(() => {
      const element = document.getElementById(id);
      element?.scrollIntoView();
      if (element && element !== focused) focus(element);
      focused = element;
    });
  }

  /** Scroll now, and again whenever the page has become longer, until somebody scrolls. */
  private whileGrowing(scroll: () => void): void {
    const observer = new ResizeObserver(scroll);
    observer.observe(document.body);
    const timer = setTimeout(() => this.stop(), RESTORE_TIMEOUT_MS);
    this.stop = () => {
      this.stop = () => {};
      observer.disconnect();
      clearTimeout(timer);
      for (const kind of USER_SCROLL_EVENTS) removeEventListener(kind, stop);
    };
    const stop = () => this.stop();
    for (const kind of USER_SCROLL_EVENTS) addEventListener(kind, stop, { passive: true });
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

/** Focus an element, also one that cannot have focus by itself. */
function focus(element: HTMLElement): void {
  if (element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

function fragment(): string {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return "";
  }
}
