import { render, screen, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DROP, TABLE } from "$testing/table.ts";
import type { TableView } from "$core/http/types.ts";
import {
  openSession,
  propsFor,
  setUp,
  speak,
  takeSeat,
  tearDown,
  textOf,
  type FakeServer,
} from "$testing/components.ts";
import Seats from "./Seats.svelte";
import type { Session } from "./session.svelte.ts";

let server: FakeServer;
let session: Session;

beforeEach(async () => {
  server = await setUp();
});
afterEach(tearDown);

async function open(parts: Partial<TableView> = {}): Promise<void> {
  server.table = { ...TABLE, ...parts };
  if (server.table.you !== undefined) takeSeat();
  session = await openSession();
  render(Seats, propsFor(session, { facts: {} }));
}

const seats = () => screen.getAllByTestId("seat");
const names = () => screen.getAllByTestId("seat-name").map(textOf);
const remarks = () => seats().map((seat) => textOf(seat.querySelector(".remark")!));
const toMove = () =>
  seats().flatMap((seat, at) => (within(seat).queryByText("to move") ? [names()[at]] : []));

test("one’s own seat comes first, then the others round the table", async () => {
  const three = ["Ann", "Bob", "Eve"].map((name) => ({ name, taken: true }));
  await open({ seats: three, you: 1 });
  expect([names(), remarks()]).toEqual([
    ["Bob", "Eve", "Ann"],
    ["you", "online", "online"],
  ]);
  session.seats.turnBoard();
  await expect.poll(names).toEqual(["Eve", "Ann", "Bob"]);
});

test("whose turn it is follows the moves", async () => {
  await open();
  expect(toMove()).toEqual(["Ann"]);
  server.play(0, "@a1", [DROP], { to_move: 1 });
  await expect.poll(toMove).toEqual(["Bob"]);
});

test("nobody is to move when the game is over, and the winner is named", async () => {
  await open({ to_move: undefined, legal: undefined, result: { shares: [1, 0], reason: "resigned" } });
  await expect.poll(remarks).toEqual(["Winner", "online"]);
  expect(toMove()).toEqual([]);
});

test("a seat says what plays there", async () => {
  const away = { name: "Bob", taken: true, away: true };
  await open({
    seats: [
      { name: "Ann", taken: true },
      { level: 2 },
      { ...away, level: 3 },
      away,
      { name: "Zig", taken: true, program: true },
    ],
  });
  expect(names()).toEqual(["Ann", "Bot: Brick", "Bot for Bob", "Bob", "Zig"]);
  expect(remarks()).toEqual(["you", "Brick", "Mason", "has left", "external bot"]);
});

test("a player without a connection is offline", async () => {
  server.present = [0];
  await open();
  await expect.poll(remarks).toEqual(["you", "offline"]);
});

test("in French", async () => {
  await speak("fr");
  await open({
    seats: [
      { name: "Ann", taken: true },
      { name: "Bob", taken: true, away: true },
    ],
  });
  expect(remarks()).toEqual(["vous", "a quitté la table"]);
  expect(within(seats()[0]!).getByText("doit jouer")).toBeTruthy();
});
