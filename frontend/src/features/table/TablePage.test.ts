import { render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { device } from "$core/device/device.svelte.ts";
import { TABLE } from "$testing/table.ts";
import { refusal, setUp, speak, takeSeat, tearDown, textOf, type FakeServer } from "$testing/components.ts";
import TablePage from "./TablePage.svelte";

const EVENTS = "GET /tables/T/events";
const MOVE = "POST /tables/T/move";
let server: FakeServer;

beforeEach(async () => {
  server = await setUp();
  device.settings.textBoard = true; // its moves are buttons
  device.meet("quadrille"); // its aim has been told
  vi.useFakeTimers();
});
afterEach(tearDown);

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

async function open(): Promise<void> {
  takeSeat();
  render(TablePage, { id: "T" });
  await pass(100);
}

const page = () => textOf(screen.getByRole("status"));
const lead = () => textOf(screen.getByTestId("status-lead"));
const line = () => textOf(screen.getByTestId("status-text"));
const html = (status: number) => () => new Response("<html>Bad gateway</html>", { status });

test("a table is there, with its seats, its line and its tools", async () => {
  await open();
  expect(screen.getByRole("heading", { name: "Quadrille" })).toBeTruthy();
  expect(lead()).toBe("Your turn");
  expect(screen.getByRole("toolbar", { name: "Tools" })).toBeTruthy();
  expect(document.title).toBe("● Quadrille · Benben");
});

test("a table that does not exist is not found, and nothing more is asked", async () => {
  server.on(EVENTS, () => refusal(404, "no-such-table"));
  await open();
  expect(screen.getByRole("heading").textContent).toBe("No such table");
  expect(screen.getByRole("link", { name: "Back to the games" })).toBeTruthy();
  await pass(60_000);
  expect(server.sent(EVENTS)).toHaveLength(1);
});

test.each([
  ["500 without a reason", html(500)],
  ["502 from a proxy", html(502)],
  ["404 from a proxy", html(404)],
  ["410 from a proxy", html(410)],
  ["an error of the server", () => refusal(500, "internal")],
  ["too many requests", () => refusal(429, "too-many-requests")],
  [
    "somebody else’s page",
    () => new Response("<html>Log in</html>", { headers: { "Content-Type": "text/html" } }),
  ],
])("until the table comes, %s means connecting, and the page recovers", async (_, answer) => {
  server.on(EVENTS, answer);
  await open();
  expect(page()).toBe("Connecting…");
  await pass(20_000);
  expect(page()).toBe("Connecting…");
  server.off(EVENTS);
  await pass(10_000);
  expect(lead()).toBe("Your turn");
});

test("without an answer the page says that it connects, until the network is back", async () => {
  server.disconnect();
  await open();
  expect(page()).toBe("Connecting…");
  server.reconnect();
  await pass(100);
  expect(lead()).toBe("Your turn");
});

test.each([
  ["en", 1, "Preparing Quadrille, on first start only: about a second. The table will then open by itself."],
  [
    "en",
    20,
    "Preparing Quadrille, on first start only: about 20 seconds. The table will then open by itself.",
  ],
  [
    "fr",
    1,
    "Préparation de Quadrille, au premier démarrage seulement : environ une seconde. La table s’ouvrira ensuite toute seule.",
  ],
  [
    "fr",
    20,
    "Préparation de Quadrille, au premier démarrage seulement : environ 20 secondes. La table s’ouvrira ensuite toute seule.",
  ],
] as const)(
  "a game that is still prepared says how long it takes: %s, %i s",
  async (language, seconds, said) => {
    await speak(language);
    server.on(EVENTS, () => refusal(503, "warming-up", { game: "quadrille", seconds }));
    await open();
    expect(page()).toBe(said);
    server.off(EVENTS);
    await pass(2_000);
    expect(screen.getByTestId("table")).toBeTruthy();
  },
);

test("the page says after a while that the connection is lost, and when it is back", async () => {
  await open();
  server.disconnect();
  await pass(1_000);
  expect(lead()).toBe("Your turn"); // it may be back at once
  await pass(1_000);
  expect(screen.getByTestId("connection-lost").textContent).toBe("Connection lost. Reconnecting…");
  server.reconnect();
  await pass(100);
  expect(screen.queryByTestId("connection-lost")).toBeNull();
  expect(lead()).toBe("Your turn");
});

/** Ann plays her only move. */
async function play(): Promise<void> {
  const board = screen.getByTestId("board");
  const move = [...board.querySelectorAll("button")].find((each) => /a1/.test(each.textContent!))!;
  move.click();
  await pass(50);
}

test.each([
  [410, "other-rules", "This game was played under earlier rules: you can only watch it."],
  [409, "not-your-turn", "It isn’t your turn."],
  [409, "stale", "The table has changed: check the board and try again."],
])("a move that is refused (%i %s) is taken back, and the line says why", async (status, code, why) => {
  server.on(MOVE, () => refusal(status, code));
  await open();
  await play();
  expect(line()).toBe(`Your turn ${why}`);
  expect(server.sent(MOVE)).toMatchObject([{ body: { move: "@a1" } }]);
});

test.each([
  ["an error of the server", html(500)],
  ["too many requests", () => refusal(429, "too-many-requests")],
])("a move that meets %s is sent again, and stored", async (_, answer) => {
  server.on(MOVE, answer);
  await open();
  await play();
  await pass(400);
  expect(lead()).toBe("Sending your move…");
  server.on(MOVE, () => {
    server.play(0, "@a1", TABLE.legal![0]!.effects, { to_move: 1 });
    return { number: 4 };
  });
  await pass(10_000);
  expect(lead()).toBe("Bob’s turn");
});

test("a move that nobody answers for a minute is taken back, and can be played again", async () => {
  server.on(MOVE, html(502));
  await open();
  await play();
  await pass(61_000);
  expect(line()).toBe("Your turn The server isn’t answering. Try again in a moment.");
  server.on(MOVE, () => {
    server.play(0, "@a1", TABLE.legal![0]!.effects, { to_move: 1 });
    return { number: 4 };
  });
  await play();
  await pass(5_000);
  expect(lead()).toBe("Bob’s turn");
});

test("a table that was closed before its game says so", async () => {
  server.table = { ...TABLE, start: undefined, legal: undefined, to_move: undefined, expired: true };
  await open();
  expect(screen.getByText(/^This table was closed: seats stayed free for too long/)).toBeTruthy();
});

test("in French, a table that does not exist", async () => {
  await speak("fr");
  server.on(EVENTS, () => refusal(404, "no-such-table"));
  await open();
  expect(screen.getByRole("heading").textContent).toBe("Cette table n’existe pas");
});
