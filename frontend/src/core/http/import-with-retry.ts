// Parts of the page that are loaded when they are needed: boards, pages, catalogues.

import { backOff, sleep } from "./api.ts";

const FIRST_WAIT = 250;
const LONGEST_WAIT = 8_000;

/**
 * What `load` imports, however often it takes. `failing` is told after each failure: some browsers
 * remember that a module could not be fetched and never ask for it again, until the whole page is loaded anew.
 */
export async function importWithRetry<T>(
  load: () => Promise<T>,
  failing: (times: number) => void = () => {},
): Promise<T> {
  for (let failed = 0; ;) {
    try {
      await Promise.all([...unstyled].map(style));
      return await load();
    } catch {
      failing(++failed);
      await soon(backOff(failed, FIRST_WAIT, LONGEST_WAIT));
    }
  }
}

/** After some time, or when there is a network again. */
async function soon(ms: number): Promise<void> {
  let online: () => void = () => {};
  const back = new Promise<void>((done) => (online = done));
  addEventListener("online", online);
  await Promise.race([back, sleep(ms)]);
  removeEventListener("online", online);
}

// Style sheets that were not to be had. Whoever imports a module again does not ask for its style again.
const unstyled = new Set<string>();

addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet") unstyled.add(target.href);
  },
  { capture: true },
);

function style(address: string): Promise<void> {
  return new Promise((done, failed) => {
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
      if (link.href === address) link.remove();
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = address;
    link.onload = () => (unstyled.delete(address), done());
    link.onerror = () => failed(new Error(`no style: ${address}`));
    document.head.append(link);
  });
}
