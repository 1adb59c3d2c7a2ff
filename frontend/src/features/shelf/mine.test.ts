import { expect, it } from "vitest";
import type { TableOfMine } from "$core/http/types.ts";
import { linesOf } from "./mine.ts";

function table(id: string, more: Partial<TableOfMine> = {}): TableOfMine {
  const plain = {
    game: "quadrille",
    number: 3,
    position_since: 3,
    you: 0,
    to_move: 1,
    your_turn: false,
    begun: true,
    starting: null,
    over: false,
    expired: false,
  };
  return { id, ...plain, seats: [], rematch: "", result: null, ended: null, ...more };
}

it("puts what waits for us first and what is over last", () => {
  const lines = linesOf([
    table("over", { over: true }),
    table("closed", { begun: false, over: true, expired: true, to_move: null }),
    table("gathering", { begun: false, to_move: null }),
    table("theirs"),
    table("ours", { your_turn: true, to_move: 0 }),
  ]);
  expect(lines.map((line) => line.id)).toEqual(["ours", "theirs", "gathering", "over", "closed"]);
  expect(lines.at(-1)!.standing).toBe("expired");
});

it("makes one line of several seats at a table", () => {
  const lines = linesOf([table("a"), table("a", { you: 1, your_turn: true })]);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ you: [0, 1], standing: "your-turn" });
});
