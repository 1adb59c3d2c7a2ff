import { beforeEach, expect, test, vi } from "vitest";

let top = 0; // where the page is scrolled to
let height = 0; // how far it can be
const grown: (() => void)[] = []; // callbacks of the resize observer

vi.stubGlobal("scrollTo", (_: number, y: number) => {
  top = Math.min(y, height);
});
vi.stubGlobal(
  "ResizeObserver",
  class {
    constructor(private readonly told: () => void) {}
    observe = () => void grown.push(this.told);
    disconnect = () => void grown.splice(grown.indexOf(this.told) >>> 0, 1);
  },
);
Object.defineProperty(window, "scrollY", { configurable: true, get: () => top });
vi.stubGlobal("scrollY", 0);
Object.defineProperty(globalThis, "scrollY", { configurable: true, get: () => top });

const { router } = await import("./router.svelte.ts");

function grow(to: number): void {
  height = to;
  for (const told of [...grown]) told();
}

/** Go back or forward. */
function come(path: string, state: unknown): void {
  history.replaceState(state, "", path);
  top = 0;
  dispatchEvent(new PopStateEvent("popstate", { state }));
}

function click(href: string, how: MouseEventInit = {}): boolean {
  const link = document.body.appendChild(document.createElement("a"));
  link.href = href;
  const event = new MouseEvent("click", { bubbles: true, cancelable: true, ...how });
  link.dispatchEvent(event);
  link.remove();
  return event.defaultPrevented;
}

beforeEach(() => {
  document.body.innerHTML = "";
  router.go(`/games?${Math.random()}`);
  [top, height] = [0, 0];
});

test("the page that is there is not added to the history again", () => {
  const push = vi.spyOn(history, "pushState");
  click("/");
  expect(push).toHaveBeenCalledTimes(1);
  click("/");
  click("/");
  expect(push).toHaveBeenCalledTimes(1);
  click("/#filters");
  push.mockRestore();
});

test("a click with a key is the browser's: another tab, a download", () => {
  for (const key of ["altKey", "ctrlKey", "metaKey", "shiftKey"])
    expect(click("/rules/quadrille", { [key]: true })).toBe(false);
  expect(click("/rules/quadrille")).toBe(true);
});

test("another query is another visit, another fragment is not", () => {
  router.go("/kit/quadrille");
  const { visit } = router;
  click("/kit/quadrille?paper=letter");
  expect(router.visit).toBe(visit + 1);
  router.go("/kit/quadrille?paper=letter#top");
  expect(router.visit).toBe(visit + 1);
  come("/kit/quadrille", null);
  expect(router.visit).toBe(visit + 2);
});

test("an address that a page gives itself is no visit", () => {
  router.go("/analysis/quadrille?table=abc");
  const { visit } = router;
  router.replace("/analysis/quadrille#v1");
  expect(router.visit).toBe(visit);
  router.go("/analysis/quadrille?table=abc");
  expect(router.visit).toBe(visit + 1);
});

test("a link to a part of a page scrolls there once it has loaded", () => {
  click("/puzzles#quadrille");
  grow(500);
  const part = document.body.appendChild(document.createElement("section"));
  part.id = "quadrille";
  const scrolled = vi.fn();
  part.scrollIntoView = scrolled;
  grow(2_000);
  expect(scrolled).toHaveBeenCalledTimes(1);
  dispatchEvent(new Event("wheel")); // somebody scrolls
  grow(3_000);
  expect(scrolled).toHaveBeenCalledTimes(1);
});

test("a link to a part of a page moves focus there, until somebody acts", () => {
  const addPart = () => {
    const part = document.body.appendChild(document.createElement("section"));
    part.id = "quadrille";
    part.scrollIntoView = () => {};
    return part;
  };
  const other = document.body.appendChild(document.createElement("button"));
  click("/puzzles#quadrille");
  const part = addPart();
  const focus = vi.spyOn(part, "focus");
  grow(500);
  expect(document.activeElement).toBe(part);
  expect(part.getAttribute("tabindex")).toBe("-1");
  expect(focus).toHaveBeenCalledWith({ preventScroll: true });
  other.focus(); // by a script
  grow(1_000);
  expect(document.activeElement).toBe(other);
  part.remove();
  const again = addPart(); // rendered anew
  grow(1_500);
  expect(document.activeElement).toBe(again);
  again.remove();
  dispatchEvent(new Event("keydown"));
  addPart();
  other.focus();
  grow(2_000);
  expect(document.activeElement).toBe(other);
});

test("a part that can have focus keeps its tabindex", () => {
  const part = document.body.appendChild(document.createElement("h2"));
  part.id = "bring";
  part.tabIndex = 0;
  part.scrollIntoView = () => {};
  click("/fairness#bring");
  expect(document.activeElement).toBe(part);
  expect(part.tabIndex).toBe(0);
});

test("going back moves no focus", () => {
  router.go("/puzzles#quadrille");
  dispatchEvent(new Event("scroll"));
  const left = history.state;
  router.go("/");
  const part = document.body.appendChild(document.createElement("section"));
  part.id = "quadrille";
  come("/puzzles#quadrille", left);
  grow(500);
  expect(document.activeElement).not.toBe(part);
});

test("going back leads to where a page was left, once it is long enough", () => {
  router.go("/");
  [top, height] = [800, 2_000];
  dispatchEvent(new Event("scroll"));
  const left = history.state;
  router.go("/rules/quadrille");
  expect(top).toBe(0);
  height = 100; // nothing has loaded yet
  come("/", left);
  expect(top).toBe(100);
  grow(2_000);
  expect(top).toBe(800);
});
