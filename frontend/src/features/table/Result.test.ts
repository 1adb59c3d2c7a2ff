import { render, screen, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TABLE } from "$testing/table.ts";
import { router } from "$core/routing/router.svelte.ts";
import { errorMessage } from "$core/describe/errors.ts";
import type { TableView } from "$core/http/types.ts";
import {
  openSession,
  refusal,
  setUp,
  speak,
  takeSeat,
  tearDown,
  type FakeServer,
} from "$testing/components.ts";
import Result from "./Result.svelte";

const user = userEvent.setup();
const WON = { shares: [1, 0], reason: "cannot-step" };
let server: FakeServer;
let rematches: (() => void)[]; // asked for here, and what ends the wait for each
let errors: string[];

beforeEach(async () => {
  server = await setUp();
  [rematches, errors] = [[], []];
});
afterEach(tearDown);

/** The end of a game, as Ann sees it, or somebody who watches. */
async function open(parts: Partial<TableView>, watching = false): Promise<HTMLElement> {
  const over = { ...TABLE, to_move: undefined, legal: undefined, result: WON, ...parts };
  server.table = watching ? { ...over, you: undefined } : over;
  if (!watching) takeSeat();
  const session = await openSession();
  render(Result, {
    session,
    rematch: () => new Promise<void>((done) => rematches.push(done)),
    attempt: async (action: () => Promise<unknown>) => {
      await action().catch((error: unknown) => errors.push(errorMessage(error)));
    },
    get table() {
      return session.table!;
    },
  });
  return screen.findByRole("region");
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
const title = () => screen.getByRole("heading").textContent;

test.each([
  ["won", [1, 0], "cannot-step", "You won!", ["Bob cannot step any more."]],
  ["lost", [0, 1], "cannot-step", "You lost", ["Bob wins", "Ann cannot step any more."]],
  ["drawn", [0.5, 0.5], "quiet", "A draw", ["50 steps in a row have opened no new hole."]],
  ["resigned", [0, 1], "resigned", "You lost", ["Bob wins", "Ann resigned."]],
  ["won by resignation", [1, 0], "resigned", "You won!", ["Bob resigned."]],
  ["won on time", [1, 0], "time-out", "You won!", ["Bob ran out of time."]],
  ["lost on time", [0, 1], "time-out", "You lost", ["Bob wins", "Ann ran out of time."]],
])("a game that was %s says so, and why", async (_, shares, reason, told, why) => {
  const region = await open({ result: { shares, reason } });
  expect(title()).toBe(told);
  for (const each of why) expect(within(region).getByText(each)).toBeTruthy();
});

test("a shared win names those who share it", async () => {
  const seats = ["Ann", "Bob", "Eve"].map((name) => ({ name, taken: true }));
  const region = await open({ seats, result: { shares: [0.5, 0.5, 0], reason: "quiet" } });
  expect(title()).toBe("You share the win");
  expect(within(region).getByText("Ann and Bob share the win")).toBeTruthy();
});

test("a spectator reads who won and is offered no rematch", async () => {
  await open({}, true);
  expect(title()).toBe("Ann wins");
  expect(screen.queryByRole("button", { name: "Rematch" })).toBeNull();
  server.update({ rematch: "N", rematch_by: 1 });
  const link = await screen.findByRole("link", { name: "Watch their next game" });
  expect(link.getAttribute("href")).toBe("/t/N");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a rematch is offered once, however often one presses", async () => {
  await open({});
  expect(document.activeElement).toBe(screen.getByRole("region", { name: "You won!" }));
  await user.dblClick(button("Rematch"));
  expect(rematches).toHaveLength(1);
  expect(button("Rematch").disabled).toBe(true);
  rematches[0]!();
  await expect.poll(() => button("Rematch").disabled).toBe(false);
});

test("a rematch that Bob offers is a question, also if the result is folded away; and is accepted", async () => {
  await open({});
  await user.click(button("See the board"));
  expect(screen.queryByRole("region")).toBeNull();
  server.update({ rematch: "N", rematch_by: 1 });
  expect((await screen.findByRole("alert")).textContent).toBe("Bob would like to play again.");
  expect(screen.queryByRole("button", { name: "Rematch" })).toBeNull();
  await user.click(button("Play again"));
  expect(rematches).toHaveLength(1);
});

test("an offer that is declined is not asked about again", async () => {
  server.on("POST /tables/T/rematch/decline", () => ({ number: 5 }));
  await open({ rematch: "N", rematch_by: 1 });
  await user.click(button("No, thanks"));
  await expect.poll(() => screen.queryByRole("alert")).toBeNull();
  expect(server.sent("POST /tables/T/rematch/decline")).toMatchObject([{ token: "ann-token" }]);
  expect(screen.queryByRole("button", { name: "Play again" })).toBeNull();
});

test("an offer that could not be declined stays", async () => {
  server.on("POST /tables/T/rematch/decline", () => refusal(409, "no-rematch"));
  await open({ rematch: "N", rematch_by: 1 });
  await user.click(button("No, thanks"));
  await expect.poll(() => errors).toEqual(["Nobody has offered a rematch."]);
  expect(button("No, thanks")).toBeTruthy();
});

test("one’s own offer is no question", async () => {
  await open({ rematch: "N", rematch_by: 0 });
  expect(screen.queryByRole("alert")).toBeNull();
  expect(button("Rematch")).toBeTruthy();
});

test("after a game against a bot a stronger and a gentler one are offered", async () => {
  server.on("POST /tables", () => ({ id: "N", commitment: "" }));
  server.on("POST /tables/N/seats/0", () => ({ token: "next", seat: 0, table: { ...TABLE, number: 1 } }));
  await open({ seats: [{ name: "Ann", taken: true }, { level: 2 }], options: { players: 2 } });
  expect(button("An easier bot")).toBeTruthy();
  await user.click(button("A stronger bot"));
  await expect.poll(() => router.path).toBe("/t/N");
  expect(server.sent("POST /tables")[0]!.body).toMatchObject({ seats: [{ bot: 0 }, { bot: 3 }] });
});

test("against the strongest bot, or people, no stronger one is offered", async () => {
  await open({ seats: [{ name: "Ann", taken: true }, { level: 3 }] });
  expect(button("An easier bot")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "A stronger bot" })).toBeNull();
  server.update({ seats: TABLE.seats });
  await expect.poll(() => screen.queryByRole("button", { name: "An easier bot" })).toBeNull();
});

test("hints are counted, and ways on lead to the review and to the games", async () => {
  const region = await open({ seats: [{ name: "Ann", taken: true, hints: 2 }, { level: 2 }] });
  expect(within(region).getByText("Ann: 2 hints")).toBeTruthy();
  const leadsTo = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  expect([leadsTo("Review"), leadsTo("Other games")]).toEqual(["/review/T", "/"]);
});

test("it is folded away to see the board, and comes back", async () => {
  await open({});
  await user.click(button("See the board"));
  expect(screen.queryByRole("heading")).toBeNull();
  await user.click(button("Show the result"));
  expect(title()).toBe("You won!");
});

test("in French", async () => {
  await speak("fr");
  const region = await open({ result: { shares: [0, 1], reason: "resigned" }, rematch: "N", rematch_by: 1 });
  expect(title()).toBe("Vous avez perdu");
  expect(within(region).getByText("Ann a abandonné.")).toBeTruthy();
  expect(screen.getByRole("alert").textContent).toBe("Bob voudrait rejouer.");
  expect(button("Rejouer")).toBeTruthy();
  expect(button("Non, merci")).toBeTruthy();
});
