// Where others find this server. A page that was opened on the machine it runs on has an address that
// leads nowhere from another.

import { getServerInfo } from "./api.ts";

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

class Home {
  origin = $state(location.origin);
  alone = $state(false); // nobody else can open our links
  private asked: Promise<void> | null = null;

  /** An address of ours, or a path, as others can open it. */
  address(ours: string): string {
    const { origin, pathname, search, hash } = new URL(ours, location.origin);
    return (origin === location.origin ? this.origin : origin) + pathname + search + hash;
  }

  /** Find out; until then the address of the page has to do. */
  load(): Promise<void> {
    if (!LOOPBACK.test(location.hostname)) return Promise.resolve();
    this.asked ??= getServerInfo().then(
      ({ addresses }) => {
        if (addresses === undefined) return; // it does not say
        this.origin = addresses[0] ?? location.origin;
        this.alone = addresses.length === 0;
      },
      () => void (this.asked = null), // the next who asks may learn it
    );
    return this.asked;
  }
}

export const home = new Home();
