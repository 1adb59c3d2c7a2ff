import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DROP, TABLE } from "$testing/table.ts";
import { Readiness } from "$core/tables/readiness.svelte.ts";
import type { SeatView, TableView } from "$core/http/types.ts";
import {
  openSession,
  setUp,
  speak,
  takeSeat,
  tearDown,
  textOf,
  type FakeServer,
} from "$testing/components.ts";
import { StatusText } from "./status-line.svelte.ts";
import StatusLine from "./StatusLine.svelte";
import type { Session } from "./session.svelte.ts";

const ANN: SeatView = { name: "Ann", taken: true };
const NEFER: SeatView = { name: "Nefer", taken: true, level: 3 };
const user = userEvent.setup();
let server: FakeServer;
let session: Session;
let line: StatusText;
let prompt = $state("");
let readiness: Readiness;

beforeEach(async () => {
  server = await setUp();
});
afterEach(() => {
  line.close();
  readiness.stop();
  tearDown();
});

/** The line as Ann sees it, or somebody who watches. */
async function open(parts: Partial<TableView> = {}, watching = false): Promise<void> {
  server.table = { ...TABLE, ...parts, ...(watching ? { you: undefined, legal: undefined } : {}) };
  if (!watching) takeSeat();
  session = await openSession();
  readiness = new Readiness();
  const yours = () => session.actions.legal.length > 0;
  line = new StatusText(session, readiness, yours, () => prompt);
  prompt = "Put a pawn on the board.";
  render(StatusLine, {
    session,
    line,
    get yours() {
      return yours();
    },
  });
  await expect.poll(() => session.feed.isConnected).toBe(true);
}

const BOBS_TURN = { to_move: 1, legal: undefined };
const lead = () => textOf(screen.getByTestId("status-lead"));
const said = () => textOf(screen.getByTestId("status-text"));
const reasons = (moves: string[], rule: string, parameters = {}) => ({
  number: 3,
  refusals: [{ rule, parameters, moves }],
});

test("on one’s turn it says what to do", async () => {
  await open();
  expect(said()).toBe("Your turn Put a pawn on the board.");
});

test("on somebody else’s turn it says whose, and asks for nothing", async () => {
  await open(BOBS_TURN);
  expect(said()).toBe("Bob’s turn");
});

test("where dice are thrown, it says so", async () => {
  await open({ to_move: undefined, legal: undefined });
  expect(said()).toBe("The dice are rolling");
});

test("a spectator reads that they watch", async () => {
  await open({}, true);
  expect(said()).toBe("Ann’s turn You’re watching");
});

test("a bot that is to move is said to think, also one that stands in for somebody", async () => {
  await open({ ...BOBS_TURN, seats: [ANN, NEFER] });
  expect(said()).toBe("Nefer is thinking…");
  server.update({ seats: [ANN, { name: "Bob", taken: true, away: true, level: 3 }] });
  await expect.poll(said).toBe("Bot for Bob is thinking…");
});

test.each([
  ["en", 1, "Nefer is getting ready, on first start only: about a second"],
  ["en", 9, "Nefer is getting ready, on first start only: about 9 seconds"],
  ["fr", 1, "Nefer se prépare, au premier démarrage seulement : environ une seconde"],
  ["fr", 9, "Nefer se prépare, au premier démarrage seulement : environ 9 secondes"],
] as const)("a bot that cannot think yet is getting ready: %s, %i s", async (language, seconds, expected) => {
  server.on("GET /server", () => ({ games: [{ game: "quadrille", ready: "people", seconds }] }));
  await speak(language);
  await open({ ...BOBS_TURN, seats: [ANN, NEFER] });
  await expect.poll(said).toBe(expected);
});

test("the move of somebody else is told, then what to do", async () => {
  await open(BOBS_TURN);
  line.showMove("Bob: puts a pawn on b2");
  server.update({ to_move: 0, legal: TABLE.legal });
  await expect.poll(said).toBe("Your turn Bob: puts a pawn on b2");
  prompt = "Choose a square."; // something was chosen
  await expect.poll(said).toBe("Your turn Choose a square.");
});

test("a move that is refused says why, with a way to the rule", async () => {
  server.on("GET /tables/T/refusals", () => reasons(["@b2"], "occupied", { to: "b2" }));
  await open({ position_since: 3 });
  await expect.poll(() => session.actions.refusal("@b2")).toBeTruthy();
  line.explainIllegal("@b2");
  await expect.poll(said).toBe("Your turn There is a pawn on b2.");
  const rule = screen.getByRole("link", { name: "Rule" });
  expect(rule.getAttribute("href")).toBe("/rules/quadrille?from=T#step");
});

test("without a reason it says in general that the move is not possible, without a rule", async () => {
  server.on("GET /tables/T/refusals", () => reasons([], "occupied"));
  await open({ position_since: 3 });
  await expect.poll(() => session.actions.refusal("@b2")).toBeUndefined();
  line.explainIllegal("@b2");
  await expect.poll(said).toBe("Your turn That isn’t possible now.");
  expect(screen.queryByRole("link")).toBeNull();
});

test.each([
  ["somebody else’s turn", BOBS_TURN, false, "It isn’t your turn."],
  ["a game one watches", {}, true, "You’re watching: only players can move."],
])("in %s every move is refused", async (_, parts, watching, why) => {
  await open(parts, watching);
  line.explainIllegal("@a1");
  await expect.poll(() => screen.getByTestId("refusal").textContent).toBe(why);
});

test("a refusal is said for eight seconds", async () => {
  await open(BOBS_TURN);
  vi.useFakeTimers();
  line.explainIllegal("@a1");
  await vi.advanceTimersByTimeAsync(7_900);
  expect(said()).toBe("Bob’s turn It isn’t your turn.");
  await vi.advanceTimersByTimeAsync(200);
  expect(said()).toBe("Bob’s turn");
});

test("a hint takes the place of whose turn it is", async () => {
  await open();
  line.showHint("Look here: b2.");
  await expect.poll(said).toBe("Hint Look here: b2.");
  line.clearForNewMoment(); // another moment is shown
  await expect.poll(said).toBe("Your turn Put a pawn on the board.");
});

test("looking back, it tells the move that led there, and leads to the present", async () => {
  server.history = { ...server.history, steps: [{ move: "@a1", seat: 0, effects: [DROP] }] };
  await open({ moves: ["@a1"], drawing: { hand: "p", a1: "p" } });
  expect(screen.queryByRole("button")).toBeNull();
  session.playback.lookAt(0);
  await expect.poll(said).toBe("Looking back");
  await user.click(screen.getByRole("button", { name: "Current position" }));
  await expect.poll(lead).toBe("Your turn");
  expect(screen.queryByRole("button")).toBeNull();
});

test("a connection that is lost for a while is told, until it is back", async () => {
  await open();
  server.disconnect();
  await expect.poll(lead).toBe("Connection lost. Reconnecting…");
  server.reconnect();
  await expect.poll(lead).toBe("Your turn");
});

test("a move that does not arrive at once is being sent", async () => {
  server.on("POST /tables/T/move", () => new Response("<html>Bad gateway</html>", { status: 502 }));
  await open();
  void session.actions.move("@a1").catch(() => {});
  await expect.poll(lead).toBe("Sending your move…");
});

test("the end is told to those who played", async () => {
  await open({ to_move: undefined, legal: undefined, result: { shares: [0, 1], reason: "resigned" } });
  await expect.poll(said).toBe("You lost");
});

test("in French, names are put where they belong", async () => {
  await speak("fr");
  await open({ ...BOBS_TURN, seats: [ANN, { name: "Ève", taken: true }] });
  expect(said()).toBe("À Ève de jouer");
  line.explainIllegal("@a1");
  await expect.poll(said).toBe("À Ève de jouer Ce n’est pas à vous de jouer.");
});
