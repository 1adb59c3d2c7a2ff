// Toolbars and lists of tabs: one tab stop, and arrow keys between their buttons.
// https://www.w3.org/WAI/ARIA/apg/patterns/toolbar/ and /tabs/

import { KEYS } from "./shortcuts.ts";

const [LEFT, RIGHT, , , HOME, END] = KEYS.walk;

/**
 * For `{@attach}`. In a list of tabs the selected tab is the stop, and an arrow key selects the tab that it leads to.
 * In a toolbar the stop is the button that had the focus last.
 */
export function arrowKeys(container: HTMLElement): () => void {
  const tabs = container.getAttribute("role") === "tablist";
  let stop: HTMLElement | null = null;

  const buttons = () =>
    [...container.querySelectorAll<HTMLElement>("button, a[href]")].filter(
      (each) => !each.matches(":disabled") && getComputedStyle(each).display !== "none",
    );

  /** Choose the tab stop, also when buttons have come, gone or been disabled. */
  function update(): void {
    const all = buttons();
    const selected = tabs ? all.find((each) => each.getAttribute("aria-selected") === "true") : undefined;
    stop = selected ?? (stop && all.includes(stop) ? stop : (all[0] ?? null));
    for (const each of all) each.tabIndex = each === stop ? 0 : -1;
  }

  function enter({ target }: FocusEvent): void {
    const all = buttons();
    stop = all.find((each) => each.contains(target as Node)) ?? stop;
    update();
  }

  function press(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const all = buttons();
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (at < 0) return;
    const to = { [LEFT!]: at - 1, [RIGHT!]: at + 1, [HOME!]: 0, [END!]: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // on the page, these keys may look back and forward
    const next = all.at(to % all.length)!;
    next.focus();
    if (tabs) next.click();
  }

  update();
  const observer = new MutationObserver(update);
  observer.observe(container, {
    childList: true,
    subtree: true,
    attributeFilter: ["disabled", "aria-selected", "href"],
  });
  container.addEventListener("focusin", enter);
  container.addEventListener("keydown", press);
  return () => {
    observer.disconnect();
    container.removeEventListener("focusin", enter);
    container.removeEventListener("keydown", press);
  };
}
