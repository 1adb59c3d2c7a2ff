import { describe, expect, it } from "vitest";
import type { GameCard } from "$core/http/types.ts";
import { valuesFor } from "$core/tables/game-options.ts";
import { FRIEND, isWatchable, ME, usual, wantedOf, withPlayers, withSeat } from "./table-form.ts";

const card: GameCard = {
  name: "objectif",
  titles: {},
  kind: {},
  components: {},
  working_title: true,
  authors: [],
  artists: [],
  publishers: [],
  year: null,
  honours: {},
  ages: null,
  minutes: null,
  credits: {},
  players: [2, 3, 4],
  default_players: 2,
  first: "random",
  first_is_fixed: false,
  option: {
    name: "mode",
    about: {},
    values: ["random", "fair"],
    players: [2, 3, 4],
    limits: { fair: [2, 3] },
  },
  levels: [],
  paragraphs: {},
  lesson: 0,
  puzzles: 0,
};

describe("a table wanted", () => {
  it("is usual unless something is chosen", () => {
    expect(wantedOf(card, usual(card))).toEqual({
      game: "objectif",
      players: 2,
      options: { first: "random", mode: "random" },
      seats: [{ bot: 0 }, { bot: 0 }],
      pace: { pace: "none" },
      leaver: "wait",
      listed: false,
      watchable: false,
      drawn: false,
    });
  });

  it("offers what the card allows", () => {
    expect(valuesFor(card, 3)).toEqual(["random", "fair"]);
    expect(valuesFor(card, 4)).toEqual(["random"]);
    expect(valuesFor({ ...card, option: { ...card.option, players: [2] } }, 4)).toEqual([]);
  });

  it("says nothing of who begins where that is fixed", () => {
    const fixed = { ...card, first: "1", first_is_fixed: true };
    expect(wantedOf(fixed, usual(fixed)).options).toEqual({ mode: "random" });
  });

  it("forgets what does not fit another number of players", () => {
    const chosen = { ...usual(card), players: 3, first: "3", option: "fair" };
    expect(withPlayers(card, chosen, 4)).toMatchObject({ players: 4, first: "3", option: "random" });
    expect(withPlayers(card, chosen, 2)).toMatchObject({ players: 2, first: "random", option: "fair" });
  });

  it("says what a resignation means where there are more than two", () => {
    const chosen = { ...usual(card), resign: "end" as const };
    expect(wantedOf(card, chosen).resign).toBeUndefined();
    expect(wantedOf(card, withPlayers(card, chosen, 4)).resign).toBe("end");
    expect(wantedOf(card, withPlayers(card, usual(card), 3)).resign).toBe("bot");
  });

  it("may be watched where strangers may sit down, unless something else is said", () => {
    const chosen = usual(card);
    expect(isWatchable(chosen)).toBe(false);
    expect(isWatchable({ ...chosen, watchable: true })).toBe(true);
    expect(isWatchable({ ...chosen, listed: true })).toBe(true);
    expect(wantedOf(card, { ...chosen, listed: true, watchable: false }).watchable).toBe(false);
  });

  it("keeps one of us at the table", () => {
    const four = { ...usual(card), players: 4, seats: [ME, 2, FRIEND, 3] };
    const moved = withSeat(four, 3, ME);
    expect(moved.seats).toEqual([3, 2, FRIEND, ME]);
    expect(withPlayers(card, moved, 2).seats).toEqual([ME, 2, FRIEND, FRIEND]);
  });

  it("writes paces as the server reads them", () => {
    const chosen = usual(card);
    expect(wantedOf(card, { ...chosen, pace: "live", minutes: 5, increment: 3 }).pace).toEqual({
      pace: "live",
      seconds: 300,
      increment: 3,
    });
    expect(wantedOf(card, { ...chosen, pace: "days", days: 3 }).pace).toEqual({ pace: "days", days: 3 });
  });
});
