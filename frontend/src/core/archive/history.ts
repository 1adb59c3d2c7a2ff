// The finished games of this device, the last first. The oldest of very many are only counted any more.
// This is loaded at the end of a game, so it is no more than that: pages watch it by `subscribe`.

import { PREFIX, read, write } from "$core/device/storage.ts";
import type { TableOfMine } from "$core/http/types.ts";
import { gameIn, MOST, type Kept } from "./file.ts";
import { gamesOf, summarised } from "./played.ts";

/** What came of bringing a file. */
export interface Joined {
  added: number;
  known: number; // they were there already
  counted: number; // too old: whether they are among those that are only counted is unknown
  earlier: boolean; // what the file only counts could not be joined to what is here
}

const KEY = "games";
const NOTHING: Kept = { games: [], earlier: null };

/** What was stored; whatever does not fit is left out. */
function stored(): Kept {
  const { games, earlier } = read<Partial<Kept>>(KEY, NOTHING);
  const whole = Array.isArray(games) ? games.flatMap((game) => gameIn(game) ?? []) : [];
  return { games: whole, earlier: earlier ?? null };
}

class History {
  kept: Kept = stored();
  /** Storage is full or forbidden: what is new is gone with this page. */
  unkept = false;
  private watching = new Set<() => void>();

  constructor() {
    addEventListener("storage", ({ key }) => {
      if (key === null || key === PREFIX + KEY) this.show(stored()); // another tab has changed it
    });
  }

  /** Be told of changes, until the answer is called. */
  subscribe(changed: () => void): () => void {
    this.watching.add(changed);
    return () => void this.watching.delete(changed);
  }

  /** What the server knows of tables of ours that are over. */
  note(tables: readonly TableOfMine[]): void {
    const games = gamesOf(tables);
    if (games.length) this.join({ games, earlier: null });
  }

  /** Add games that are not here yet. */
  join({ games, earlier }: Kept): Joined {
    const before = this.unkept ? this.kept : stored();
    const known = new Set(before.games.map(({ table }) => table));
    const others = games.filter(({ table }) => !known.has(table));
    const fresh = others.filter(({ at }) => at > (before.earlier?.until ?? 0));
    // Two sums of games may count the same ones: they are joined only where that cannot be.
    const joins =
      earlier !== null && before.earlier === null && before.games.every(({ at }) => at > earlier.until);
    const same = JSON.stringify(earlier) === JSON.stringify(before.earlier);
    this.keep({
      games: [...fresh, ...before.games].sort((one, other) => other.at - one.at),
      earlier: joins ? earlier : before.earlier,
    });
    return {
      added: fresh.length,
      known: games.length - others.length,
      counted: others.length - fresh.length,
      earlier: earlier !== null && !joins && !same,
    };
  }

  clear(): void {
    this.keep(NOTHING);
  }

  /** Where there are too many, or storage is full, the oldest are only counted. */
  private keep(kept: Kept): void {
    for (let room = MOST; room > 0; room = Math.floor(room / 2)) {
      const all = bounded(kept, room);
      if (write(KEY, all)) return this.show(all);
    }
    this.show(bounded(kept, MOST), true);
  }

  private show(kept: Kept, unkept = false): void {
    this.kept = kept;
    this.unkept = unkept;
    for (const changed of this.watching) changed();
  }
}

function bounded({ games, earlier }: Kept, most: number): Kept {
  if (games.length <= most) return { games, earlier };
  return { games: games.slice(0, most), earlier: summarised(earlier, games.slice(most)) };
}

export const history = new History();
