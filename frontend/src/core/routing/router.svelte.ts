// The address of the page that is shown; app/routes.ts says which page it is.

import { Scroller } from "./scroll-positions.ts";

class Router {
  path = $state(location.pathname);
  /** Incremented on every navigation to another path or query. */
  visit = $state(0);
  private query = location.search;
  private readonly scroller = new Scroller();

  constructor() {
    addEventListener("popstate", () => {
      this.arrive();
      this.scroller.restore();
    });
    addEventListener("click", (event) => {
      const link = (event.target as Element | null)?.closest?.("a");
      if (!link || link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
      if (event.defaultPrevented || event.button !== 0) return;
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      if (link.pathname.startsWith("/api/")) return;
      const samePage = link.pathname === location.pathname && link.search === location.search;
      if (link.hash && samePage) return; // the browser scrolls
      event.preventDefault();
      this.go(link.pathname + link.search + link.hash);
    });
  }

  /** Go to a page. The page that is there already is not added to the history again. */
  go(path: string): void {
    this.scroller.leave();
    if (new URL(path, location.href).href !== location.href) history.pushState(null, "", path);
    this.arrive();
    this.scroller.begin();
  }

  /** Change the address of the page that is there. */
  replace(path: string): void {
    history.replaceState(history.state, "", path);
    this.query = location.search;
  }

  private arrive(): void {
    const { pathname, search } = location;
    if (pathname !== this.path || search !== this.query) this.visit++;
    [this.path, this.query] = [pathname, search];
  }
}

export const router = new Router();
