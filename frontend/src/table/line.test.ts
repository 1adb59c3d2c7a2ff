import { expect, test } from "vitest";
import { device } from "../lib/device.svelte.ts";
import type { Readiness } from "../lib/readiness.svelte.ts";
import type { SeatView } from "../lib/types.ts";
import { words } from "../lib/words.svelte.ts";
import { Line } from "./line.svelte.ts";
import type { Session } from "./session.svelte.ts";

const NEFER = { name: "Nefer", taken: true, level: 6 } as SeatView;

/** What is said while somebody else is to move; bots can play in so many seconds. */
function waitingFor(seat: SeatView, { preparing = 0, live = true } = {}): string {
  const session = {
    table: { game: "quadrille", seats: [{ name: "Ann", taken: true }, seat], to_move: 1 },
    projector: { following: true, at: 0, effect: null },
    timeline: { steps: [] },
    local: [0],
    connected: true,
    live,
  };
  const readiness = { bots: () => preparing };
  const line = new Line(session as unknown as Session, readiness as unknown as Readiness, () => false);
  const { lead } = line;
  line.close();
  return lead;
}

test("a bot that is to move is said to think", () => {
  expect(waitingFor(NEFER)).toBe("Nefer is thinking…");
});

test("in French too", async () => {
  device.settings.language = "fr";
  await words.load();
  expect(waitingFor(NEFER)).toBe("Nefer réfléchit…");
  device.settings.language = "en";
  await words.load();
});

test("a bot that stands in for somebody thinks too", () => {
  const standIn = { name: "Bob", taken: true, away: true, level: 3 } as SeatView;
  expect(waitingFor(standIn)).toBe("Bot for Bob is thinking…");
});

test("of people it is only said that it is their turn", () => {
  expect(waitingFor({ name: "Bob", taken: true } as SeatView)).toBe("Bob’s turn");
});

test("a bot that cannot think yet is getting ready", () => {
  expect(waitingFor(NEFER, { preparing: 9 })).toMatch(/^Nefer is getting ready, .* 9 seconds$/);
});

test("what is being shown comes first", () => {
  expect(waitingFor(NEFER, { live: false })).toBe("");
});
