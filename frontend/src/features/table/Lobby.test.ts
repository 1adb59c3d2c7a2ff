import { render, screen, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { device } from "$core/device/device.svelte.ts";
import { TABLE } from "$testing/table.ts";
import { router } from "$core/routing/router.svelte.ts";
import type { SeatView, TableView } from "$core/http/types.ts";
import {
  openSession,
  propsFor,
  refusal,
  setUp,
  speak,
  takeSeat,
  tearDown,
  textOf,
  TOKEN,
  type FakeServer,
} from "$testing/components.ts";
import Lobby from "./Lobby.svelte";

const ANN: SeatView = { name: "Ann", taken: true };
const BOB: SeatView = { name: "Bob", taken: true };
const LOBBY: TableView = {
  ...TABLE,
  ...{ start: undefined, moves: undefined, view: undefined, drawing: undefined, legal: undefined },
  ...{ to_move: undefined, you: undefined, seats: [ANN, {}] },
};
const user = userEvent.setup();
let server: FakeServer;

beforeEach(async () => {
  server = await setUp();
});
afterEach(tearDown);

async function open(parts: Partial<TableView> = {}): Promise<void> {
  server.table = { ...LOBBY, ...parts };
  const session = await openSession();
  render(Lobby, propsFor(session, {}));
}

/** The lobby as Ann sees it, whose seat this device holds. */
async function openSeated(parts: Partial<TableView> = {}): Promise<void> {
  takeSeat();
  await open({ you: 0, ...parts });
}

const seats = () => screen.getAllByTestId("lobby-seat").map((seat) => textOf(seat.querySelector(".who")!));
const button = (name: string) => screen.getByRole("button", { name });
const waiting = () => within(screen.getByTestId("lobby-waiting")).getByRole("status").textContent;
const name = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Your name" });

test("it says what is played, and how", async () => {
  await open({ pace: { pace: "live", seconds: 300, increment: 10 }, leaver: "bot" });
  expect(screen.getByRole("heading").textContent).toBe("Quadrille");
  expect(
    screen.getByText("5 min per player, 10 s added after each turn · a bot replaces anyone who leaves"),
  ).toBeTruthy();
  const rules = screen.getByRole("link", { name: "Rules" });
  expect([rules.getAttribute("href"), rules.getAttribute("target")]).toEqual(["/rules/quadrille", "_blank"]);
});

test.each([
  ["en", 1, /^1 day per turn · the game waits/],
  ["en", 3, /^3 days per turn · the game waits/],
  ["fr", 1, /^1 jour par tour · on attend/],
  ["fr", 3, /^3 jours par tour · on attend/],
] as const)("days are counted in the language %s: %i", async (language, days, said) => {
  await speak(language);
  await open({ pace: { pace: "days", days } });
  expect(screen.getByText(said)).toBeTruthy();
});

test("a free seat is taken by name, and the page says what it waits for", async () => {
  server.on("POST /tables/T/seats/1", () => {
    server.table = { ...server.table, number: 4, seats: [ANN, { name: "Eve", taken: true }], you: 1 };
    return { token: "eve-token", seat: 1, table: server.table };
  });
  await open();
  expect([seats(), waiting()]).toEqual([["Ann", "Free seat"], ""]);
  expect(screen.queryByTestId("invitation")).toBeNull();
  await user.type(name(), "  Eve ");
  await user.click(button("Take seat 2"));
  await expect.poll(seats).toEqual(["Ann", "Eve (you)"]);
  expect(server.sent("POST /tables/T/seats/1")).toMatchObject([{ body: { name: "Eve" } }]);
  expect(waiting()).toBe("The game begins as soon as every seat is taken.");
  expect(screen.queryByRole("textbox", { name: "Your name" })).toBeNull();
  expect(device.settings.name).toBe("Eve");
  expect(device.tokensAt("T")).toEqual(["eve-token"]);
});

test("a seat that somebody else has just taken is refused with the reason, until it is tried again", async () => {
  server.on("POST /tables/T/seats/1", () => refusal(409, "seat-taken"));
  await open({ seats: [{}, {}] });
  await user.type(name(), "Eve");
  await user.click(button("Take seat 2"));
  expect((await screen.findByRole("alert")).textContent).toBe("Someone has just taken this seat.");
  server.on("POST /tables/T/seats/0", () => new Promise(() => {}));
  await user.click(button("Take seat 1"));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a seated player invites others by a link and is asked to stay", async () => {
  await openSeated();
  expect(seats()).toEqual(["Ann (you)", "Free seat"]);
  const invitation = within(screen.getByTestId("invitation"));
  const label = "Send this link to the people you want to play with";
  expect(invitation.getByRole<HTMLInputElement>("textbox", { name: label }).value).toMatch(/\/t\/T$/);
  expect(screen.getByText(/^Keep this page open/)).toBeTruthy();
});

test("there is nobody to invite where a free seat is kept for somebody", async () => {
  await openSeated({ seats: [ANN, { expected: "Bob" }] });
  expect(seats()).toEqual(["Ann (you)", "Bob has been invited"]);
  expect(waiting()).toBe("The game begins as soon as everybody has said yes.");
  expect(screen.queryByTestId("invitation")).toBeNull();
});

test("a seat that is kept cannot be taken; one whose player declined can", async () => {
  await open({ seats: [{ expected: "Ann" }, { expected: "Bob", declined: true }] });
  expect(seats()).toEqual(["Ann has been invited", "Bob isn’t coming"]);
  expect(screen.queryByRole("button", { name: "Take seat 1" })).toBeNull();
  expect(button("Take seat 2")).toBeTruthy();
});

test("those who were asked whether they play again find the question", async () => {
  server.on("GET /tables/mine", () => ({ tables: [{ id: "OLD", game: "quadrille", rematch: "T" }] }));
  device.hold("OLD", "old-token", "quadrille");
  await open({ seats: [ANN, { expected: "Bob" }] });
  expect((await screen.findByRole("link", { name: "Play again" })).getAttribute("href")).toBe("/t/OLD");
});

test("a bot takes a free seat, at the level that is chosen", async () => {
  server.on("POST /tables/T/seats/1/bot", () => ({ number: 4 }));
  await openSeated();
  await user.click(button("Let a bot take this seat"));
  const dialog = within(screen.getByRole("dialog", { name: "Which bot takes seat 2?" }));
  expect(dialog.getAllByRole("button").map(textOf)).toEqual(["1 Pebble", "2 Brick", "3 Mason", "Cancel"]);
  await user.click(dialog.getByRole("button", { name: "3 Mason" }));
  await expect
    .poll(() => server.sent("POST /tables/T/seats/1/bot"))
    .toMatchObject([{ token: TOKEN, body: { level: 3 } }]);
  server.update({ seats: [ANN, { name: "Nefer", level: 3 }] });
  await expect.poll(seats).toEqual(["Ann (you)", "Nefer · Mason"]);
  expect(screen.queryByTestId("invitation")).toBeNull();
});

test("somebody who leaves their seat is back on the shelf, and holds it no more", async () => {
  server.on("POST /tables/T/leave", () => ({ number: 4 }));
  router.go("/t/T");
  await openSeated();
  await user.click(button("Leave seat"));
  await expect.poll(() => router.path).toBe("/");
  expect(server.sent("POST /tables/T/leave")).toMatchObject([{ token: TOKEN }]);
  expect(device.tokensAt("T")).toEqual([]);
});

test("a seat that could not be left is still held", async () => {
  server.on("POST /tables/T/leave", () => refusal(409, "begun"));
  router.go("/t/T");
  await openSeated();
  await user.click(button("Leave seat"));
  expect((await screen.findByRole("alert")).textContent).toMatch(/^The game has started/);
  expect([router.path, device.tokensAt("T")]).toEqual(["/t/T", [TOKEN]]);
});

test("it says that seats are drawn, and that the position was chosen", async () => {
  await open({ drawn: true, custom_position: true });
  expect(screen.getByText("Seats are drawn at random when the game begins.")).toBeTruthy();
  expect(screen.getByText(/chose the position/)).toBeTruthy();
});

const starting = (...pending: number[]): Partial<TableView> => ({
  seats: [
    { ...ANN, commitment: "a" },
    { ...BOB, commitment: "b" },
    { name: "Eve", taken: true, commitment: "e" },
  ],
  starting: { phase: "reveal", seats: pending, deadline: Date.UTC(2030, 0, 1) },
});

test.each([
  ["en", [1], "Everyone is here. Waiting for Bob’s device…"],
  ["en", [1, 2], "Everyone is here. Waiting for the devices of Bob and Eve…"],
  ["fr", [1], "Toutes les places sont prises. On attend encore Bob…"],
  ["fr", [1, 2], "Toutes les places sont prises. On attend encore Bob et Eve…"],
] as const)(
  "while the game starts it says in %s for whose devices %j it waits",
  async (language, of, said) => {
    await speak(language);
    await openSeated(starting(...of));
    expect(waiting()).toBe(said);
  },
);

test("a device without the seat’s secret number says that another one has to start the game", async () => {
  await openSeated(starting(0));
  expect(waiting()).toMatch(/^Everyone is here\. Open this table on the device where you took your seat/);
  expect(screen.queryByText(/^Keep this page open/)).toBeNull();
});

const freed = (seat: number, name: string) => ({
  number: 2,
  at: 0,
  after: 0,
  kind: "unrevealed",
  seat,
  name,
});

test("a player who lost their seat reads so and can sit down again", async () => {
  device.hold("T", TOKEN, "quadrille", { nonce: "a1" }, { seat: 0, since: 1 });
  server.history = { ...server.history, notices: [freed(0, "Ann")] };
  server.on("GET /tables/T/events", ({ token }) =>
    token
      ? refusal(401, "no-token")
      : new Response(`event: table\nid: 3\ndata: ${JSON.stringify(server.table)}\n\n`, {
          headers: { "Content-Type": "text/event-stream" },
        }),
  );
  await open({ seats: [{}, BOB] });
  expect((await screen.findByRole("alert")).textContent).toMatch(/^You lost your seat: your device/);
  expect(button("Take seat 1")).toBeTruthy();
});

test("the other players read whose seat became free", async () => {
  server.history = { ...server.history, notices: [freed(1, "Bob")] };
  await openSeated();
  expect(await screen.findByText(/^Bob lost their seat before the game/)).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("in French", async () => {
  await speak("fr");
  await openSeated({ seats: [ANN, {}, BOB, { ...BOB, level: 2 }] });
  expect(seats()).toEqual(["Ann (vous)", "Place libre", "Bob", "Bob · Brique"]);
  await user.click(button("Mettre un robot ici"));
  expect(screen.getByRole("dialog", { name: /^Quel robot prend la place 2/ })).toBeTruthy();
  expect(button("Quitter ma place")).toBeTruthy();
});
