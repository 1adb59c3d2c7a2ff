// The finished games of this device, the last first. The oldest of very many are only counted any more.

import { device, PREFIX, read, write } from "../lib/device.svelte.ts";
import type { TableOfMine } from "../lib/types.ts";
import { gameIn, MOST, type Kept } from "./file.ts";
import { gamesOf, summarised, type GamePlayed } from "./played.ts";

/** What came of bringing a file. */
export interface Joined {
  added: number;
  known: number; // they were there already
  counted: number; // too old: whether they are among those that are only counted, nobody can tell
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
  private all = $state.raw<Kept>(stored());
  /** Storage is full or forbidden: what is new is gone with this page. */
  unkept = $state(false);

  constructor() {
    addEventListener("storage", ({ key }) => {
      if (key === null || key === PREFIX + KEY) this.all = stored(); // another tab has changed it
    });
  }

  get games(): readonly GamePlayed[] {
    return this.all.games;
  }
  get earlier(): Kept["earlier"] {
    return this.all.earlier;
  }
  get kept(): Kept {
    return this.all;
  }

  /** What the server tells of our tables: those that are over and were not noted before. */
  note(tables: readonly TableOfMine[]): void {
    const noted = new Set(device.seats.filter((seat) => seat.noted).map((seat) => seat.table));
    const games = gamesOf(tables).filter(({ table }) => !noted.has(table));
    if (games.length) this.join({ games, earlier: null });
    const expired = tables.filter((table) => table.expired).map(({ id }) => id);
    device.note(new Set([...games.map(({ table }) => table), ...expired]));
  }

  /** Add games that are not here yet. */
  join({ games, earlier }: Kept): Joined {
    const before = this.unkept ? this.all : stored();
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
      if (!write(KEY, all)) continue;
      this.all = all;
      this.unkept = false;
      return;
    }
    this.all = bounded(kept, MOST);
    this.unkept = true;
  }
}

function bounded({ games, earlier }: Kept, most: number): Kept {
  if (games.length <= most) return { games, earlier };
  return { games: games.slice(0, most), earlier: summarised(earlier, games.slice(most)) };
}

export const history = new History();
