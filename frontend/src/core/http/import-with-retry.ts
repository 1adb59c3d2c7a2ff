// Parts of the page that are loaded when they are needed: boards, pages, catalogues.

import { backOff, sleep } from "./api.ts";

const FIRST_WAIT = 250;
const LONGEST_WAIT = 8_000;

/**
 * What `load` imports, with its style, however often it takes. `failing` is called after each failure: some browsers
 * remember that a module could not be fetched and never ask for it again, until the whole page is loaded anew.
 */
export function importWithRetry<T>(load: () => Promise<T>, failing?: (times: number) => void): Promise<T> {
  return retry(async () => {
    await Promise.all([...unstyled].map(styled));
    return load();
  }, failing);
}

/** What `load` imports, however often it takes: something without a style of its own, as words. */
export async function retry<T>(
  load: () => Promise<T>,
  failing: (times: number) => void = () => {},
): Promise<T> {
  for (let failed = 0; ;) {
    try {
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

// Style sheets that failed to load: importing a module again does not request its style again.
const unstyled = new Set<string>();

addEventListener(
  "error",
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === "stylesheet") unstyled.add(target.href);
  },
  { capture: true },
);
// Those of the document have loaded or failed before this runs: scripts wait for them.
for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]'))
  if (!hasRules(link)) unstyled.add(link.href);

function hasRules({ sheet }: HTMLLinkElement): boolean {
  try {
    return Boolean(sheet?.cssRules.length); // Chromium has an empty sheet for one that failed
  } catch {
    return false; // Firefox lets nobody look at one
  }
}

const restyling = new Map<string, Promise<void>>(); // one attempt at a time, shared by its callers

function styled(address: string): Promise<void> {
  const attempt = restyling.get(address) ?? style(address).finally(() => restyling.delete(address));
  restyling.set(address, attempt);
  return attempt;
}

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
