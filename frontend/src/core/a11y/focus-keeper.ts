// Focus is never lost: if what has it goes away, it goes to what is nearest.

// A field is not among them: on a phone its keyboard would come up.
const TABBABLE = ':is(a[href], button, select, summary, [tabindex]):not(:disabled, [tabindex="-1"])';

const PATIENCE = 300; // ms for something to come where it was

/**
 * For `{@attach}`, on what contains everything. Browsers leave the focus nowhere when an element that has
 * it is removed, hidden or disabled: then Tab begins anew, and a screen reader is lost.
 */
export function keepsFocus(container: HTMLElement): () => void {
  let last: { element: HTMLElement; within: HTMLElement[] } | null = null;

  function remember({ target }: FocusEvent): void {
    if (target instanceof HTMLElement || target instanceof SVGElement)
      last = { element: target as HTMLElement, within: ancestors(target, container) };
  }

  /** A click beside it drops the focus. What is being removed is still in the document at that time. */
  function leave({ relatedTarget }: FocusEvent): void {
    if (relatedTarget === null) queueMicrotask(() => last && isLeft(last.element) && (last = null));
  }

  const isLeft = (element: HTMLElement) => isThere(element) && document.activeElement !== element;

  function look(): void {
    const lost = last && document.activeElement === document.body && !isThere(last.element);
    if (!lost) return;
    const near = last!.within.filter((each) => each.isConnected);
    const early = performance.now() < since + PATIENCE;
    const next = firstOf(near[0] ?? container) ?? (early ? null : further(near));
    if (!next) return void requestAnimationFrame(look);
    last = null;
    next.focus({ preventScroll: true });
  }

  function further(near: HTMLElement[]): HTMLElement {
    for (const each of near) {
      const first = firstOf(each);
      if (first) return first;
    }
    return container;
  }

  // What comes instead may come a little later, and may ask for the focus itself.
  let since = 0;
  const observer = new MutationObserver(() => {
    if (!last || isThere(last.element)) return;
    since = performance.now();
    requestAnimationFrame(look);
  });
  observer.observe(container, {
    childList: true,
    subtree: true,
    attributeFilter: ["disabled", "hidden", "open"],
  });
  container.addEventListener("focusin", remember);
  container.addEventListener("focusout", leave);
  return () => {
    observer.disconnect();
    container.removeEventListener("focusin", remember);
    container.removeEventListener("focusout", leave);
  };
}

function ancestors(element: Element, end: Element): HTMLElement[] {
  const found: HTMLElement[] = [];
  for (let each = element.parentElement; each; each = each.parentElement) {
    found.push(each);
    if (each === end) break;
  }
  return found;
}

function firstOf(element: HTMLElement): HTMLElement | undefined {
  return [...element.querySelectorAll<HTMLElement>(TABBABLE)].find(isThere);
}

function isThere(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(":disabled") && isVisible(element);
}

/** Safari has `checkVisibility` since 17.4. */
function isVisible(element: HTMLElement): boolean {
  return element.checkVisibility?.() ?? element.getClientRects().length > 0;
}

// Browsers show a ring on these however they got the focus.
const FIELD = "input, textarea, select";

/**
 * Hide the focus ring after dialogs that were used with a pointer. A closed dialog gives the focus back to what
 * opened it; WebKit then shows a ring there, because the dialog had focused one of its buttons by itself.
 */
export function hideRingAfterDialogs(): () => void {
  let pointed = false; // the last input was a pointer's
  const stop = new AbortController();
  const options = { capture: true, signal: stop.signal };
  addEventListener("pointerdown", () => (pointed = true), options);
  addEventListener("keydown", () => (pointed = false), options);
  addEventListener(
    "close", // comes when the focus has been given back
    () => {
      const { activeElement: element } = document;
      if (!pointed || !(element instanceof HTMLElement)) return;
      if (element.matches(FIELD) || !element.matches(":focus-visible")) return;
      element.blur(); // an element that has the focus already would keep its ring
      element.focus({ preventScroll: true, focusVisible: false });
    },
    options,
  );
  return () => stop.abort();
}
