// The tables of this device, one line a table: what waits for us first, what is over last.

import type { SeatView, TableOfMine } from "$core/http/types.ts";

export type Standing = "your-turn" | "waiting" | "gathering" | "over" | "expired";

export interface Line {
  id: string;
  game: string;
  standing: Standing;
  you: number[]; // several where one device holds several seats
  toMove: number | null;
  seats: SeatView[];
  rematch: string;
}

const ORDER: Standing[] = ["your-turn", "waiting", "gathering", "over", "expired"];

export function linesOf(tables: TableOfMine[]): Line[] {
  const lines = new Map<string, Line>();
  for (const table of tables) {
    const line = lines.get(table.id);
    if (line) {
      line.you.push(table.you);
      if (table.your_turn) line.standing = "your-turn";
    } else {
      const { id, game, seats, rematch } = table;
      lines.set(id, {
        id,
        game,
        seats,
        rematch,
        you: [table.you],
        toMove: table.to_move,
        standing: standingOf(table),
      });
    }
  }
  return [...lines.values()].sort((a, b) => ORDER.indexOf(a.standing) - ORDER.indexOf(b.standing));
}

function standingOf(table: TableOfMine): Standing {
  if (table.expired) return "expired";
  if (table.over) return "over";
  if (!table.begun) return "gathering";
  return table.your_turn ? "your-turn" : "waiting";
}
