// A slot is permission to keep a stream open. A browser makes no more than six connections to a host, for all its tabs.

export interface StreamSlot {
  allowedHidden: boolean; // whether it may be kept while the page is hidden
  release: () => void;
}

// Two for any page, the others for visible pages only: those never wait for hidden ones.
const FOR_ANY_PAGE = [2, 3];
const FOR_VISIBLE_PAGES = [0, 1];

/** A free slot, or null. */
export async function acquireStreamSlot(hidden: boolean): Promise<StreamSlot | null> {
  if (!navigator.locks) return hidden ? null : { allowedHidden: false, release: () => {} }; // nobody counts
  for (const number of hidden ? FOR_ANY_PAGE : [...FOR_ANY_PAGE, ...FOR_VISIBLE_PAGES]) {
    const release = await acquireLock(`benben-stream-${number}`);
    if (release) return { allowedHidden: FOR_ANY_PAGE.includes(number), release };
  }
  return null;
}

/** A lock that is held until the returned function is called; null if another page has it. */
export function acquireLock(name: string): Promise<(() => void) | null> {
  return new Promise((found) => {
    const held = navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (lock === null) return found(null);
      return new Promise<void>((done) => found(done));
    });
    held.catch(() => found(null)); // a page that is going away gets none
  });
}
