// Leave to keep a stream open. A browser makes no more than six connections to a host, for all its tabs.

export interface Place {
  ofHidden: boolean; // it may be kept while the page is hidden
  leave: () => void; // whoever has it gives it back
}

// Two for any page, the others for pages that somebody looks at: those never have to wait for hidden ones.
const ANYBODYS = [2, 3];
const SEEN_ONLY = [0, 1];

/** A place, if there is one to be had. */
export async function place(hidden: boolean): Promise<Place | null> {
  if (!navigator.locks) return hidden ? null : { ofHidden: false, leave: () => {} }; // nobody counts
  for (const number of hidden ? ANYBODYS : [...ANYBODYS, ...SEEN_ONLY]) {
    const leave = await take(`benben-stream-${number}`);
    if (leave) return { ofHidden: ANYBODYS.includes(number), leave };
  }
  return null;
}

/** A lock that is held until what is returned is called; null if another page has it. */
export function take(name: string): Promise<(() => void) | null> {
  return new Promise((found) => {
    const held = navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      if (lock === null) return found(null);
      return new Promise<void>((done) => found(done));
    });
    held.catch(() => found(null)); // a page that is going away gets none
  });
}
