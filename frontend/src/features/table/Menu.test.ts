import { render, screen, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { device } from "$core/device/device.svelte.ts";
import { TABLE } from "$testing/table.ts";
import { router } from "$core/routing/router.svelte.ts";
import { errorMessage } from "$core/describe/errors.ts";
import type { TableView } from "$core/http/types.ts";
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
import Menu from "./Menu.svelte";

const OVER = { to_move: undefined, legal: undefined, result: { shares: [1, 0], reason: "quiet" } };
const user = userEvent.setup();
let server: FakeServer;
let errors: string[];
let opened: string[];

beforeEach(async () => {
  server = await setUp();
  [errors, opened] = [[], []];
});
afterEach(tearDown);

const attempt = async (action: () => Promise<unknown>) => {
  await action().catch((error: unknown) => errors.push(errorMessage(error)));
};

/** The menu as Ann sees it, or somebody who watches. */
async function open(parts: Partial<TableView> = {}, watching = false): Promise<void> {
  server.table = { ...TABLE, ...parts, ...(watching ? { you: undefined, legal: undefined } : {}) };
  if (!watching) takeSeat();
  const session = await openSession();
  const ways = { attempt, rules: () => opened.push("rules"), luck: () => opened.push("luck") };
  const { component } = render(Menu, propsFor(session, ways));
  component.open();
}

const menu = () => within(screen.getByRole("dialog", { name: "Menu" }));
const items = () =>
  [...document.querySelectorAll('[aria-label="Menu"] :is(button, a)')].map((item) => textOf(item));
const choose = (name: string) => user.click(menu().getByRole("button", { name }));
const isOpen = (name: string) => screen.getByRole<HTMLDialogElement>("dialog", { name }).open;

test("a player is offered everything, and the menu makes way", async () => {
  await open();
  expect(items()).toEqual([
    "Rules",
    "Turn the board",
    "Share",
    "Download the game record",
    "Back to the games",
    "Leave",
    "Resign",
    "Close",
  ]);
  await choose("Rules");
  expect(opened).toEqual(["rules"]);
  expect(document.querySelector<HTMLDialogElement>('[aria-label="Menu"]')!.open).toBe(false);
});

test("a spectator can neither leave nor resign", async () => {
  await open({}, true);
  expect(items()).not.toContain("Leave");
  expect(items()).not.toContain("Resign");
});

test("after the game its luck can be checked and its position analysed", async () => {
  await open(OVER);
  expect(items()).not.toContain("Resign");
  expect(menu().getByRole("link", { name: "Analysis board" }).getAttribute("href")).toBe(
    "/analysis/quadrille?table=T&at=0",
  );
  await choose("Check the luck");
  expect(opened).toEqual(["luck"]);
});

test("the record is downloaded under the name of the table", async () => {
  await open();
  const record = menu().getByRole("link", { name: "Download the game record" });
  expect([record.getAttribute("href"), record.getAttribute("download")]).toEqual([
    "/api/tables/T/record",
    "benben-T.json",
  ]);
});

test("resigning says first what it means, and can be cancelled", async () => {
  await open();
  await choose("Resign");
  const sure = screen.getByRole("dialog", { name: "Resign?" });
  expect(sure.getAttribute("aria-describedby")).toBe(
    within(sure).getByText("The game ends, and your opponent wins.").id,
  );
  await user.click(within(sure).getByRole("button", { name: "Cancel" }));
  expect(server.sent("POST /tables/T/resign")).toEqual([]);
});

test("somebody who is sure resigns", async () => {
  server.on("POST /tables/T/resign", () => ({ number: 4 }));
  await open();
  await choose("Resign");
  await user.click(
    within(screen.getByRole("dialog", { name: "Resign?" })).getByRole("button", { name: "Resign" }),
  );
  await expect.poll(() => server.sent("POST /tables/T/resign")).toMatchObject([{ token: TOKEN }]);
});

test("what the server refuses is said", async () => {
  server.on("POST /tables/T/resign", () => refusal(409, "over"));
  await open();
  await choose("Resign");
  await user.click(
    within(screen.getByRole("dialog", { name: "Resign?" })).getByRole("button", { name: "Resign" }),
  );
  await expect.poll(() => errors).toEqual(["The game is over."]);
});

const THREE = ["Ann", "Bob", "Eve"].map((name) => ({ name, taken: true }));

test.each([
  ["two players", {}, "The game ends, and your opponent wins."],
  ["three", { seats: THREE }, "The game ends for everybody: the others share the win."],
  [
    "three, with bots for those who resign",
    { seats: THREE, resign: "bot" },
    "A bot will play on for you, and you can’t come back.",
  ],
] as const)("what resigning means among %s", async (_, parts, means) => {
  await open(parts as Partial<TableView>);
  await choose("Resign");
  expect(within(screen.getByRole("dialog", { name: "Resign?" })).getByText(means)).toBeTruthy();
});

test.each([
  ["wait", /^Your seat stays yours/],
  ["bot", /^A bot will play on for you\. You can take your seat back/],
  ["forfeit", /^The game ends, and your opponent wins/],
] as const)("what leaving means where the rule is “%s”", async (leaver, means) => {
  await open({ leaver });
  await choose("Leave");
  expect(within(screen.getByRole("dialog", { name: "Leave the table?" })).getByText(means)).toBeTruthy();
});

test("somebody who leaves is back on the shelf, and can return", async () => {
  server.on("POST /tables/T/leave", () => ({ number: 4 }));
  router.go("/t/T");
  await open();
  await choose("Leave");
  await user.click(
    within(screen.getByRole("dialog", { name: "Leave the table?" })).getByRole("button", { name: "Leave" }),
  );
  await expect.poll(() => router.path).toBe("/");
  expect(device.tokensAt("T")).toEqual([TOKEN]);
});

test("sharing shows the link for others, and one’s own only on demand", async () => {
  await open();
  await choose("Share");
  expect(isOpen("Share this table")).toBe(true);
  const dialog = within(screen.getByRole("dialog", { name: "Share this table" }));
  expect(dialog.getByRole<HTMLInputElement>("textbox", { name: "Link for spectators" }).value).toMatch(
    /\/t\/T$/,
  );
  expect(document.body.innerHTML).not.toContain(TOKEN);
  await user.click(dialog.getByRole("button", { name: "Show" }));
  const own = dialog.getByRole<HTMLInputElement>("textbox", { name: /^Private link to your seat/ });
  expect(own.value).toMatch(new RegExp(`/t/T#seat=${TOKEN}$`));
});

test("reminders are offered where a game takes days", async () => {
  await open({ pace: { pace: "days", days: 2 } });
  await choose("Reminders");
  expect(isOpen("When it is my turn")).toBe(true);
});

test("in French, what one resigns is said as people say it", async () => {
  await speak("fr");
  await open();
  await user.click(menu().getByRole("button", { name: "Abandonner" }));
  const sure = screen.getByRole("dialog", { name: /^Abandonner/ });
  expect(within(sure).getByText("La partie s’arrêtera, et votre adversaire gagnera.")).toBeTruthy();
  expect(within(sure).getByRole("button", { name: "Annuler" })).toBeTruthy();
});
