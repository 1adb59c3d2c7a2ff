import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DROP, TABLE } from "$testing/table.ts";
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
  TOKEN,
  type FakeServer,
} from "$testing/components.ts";
import type { Session } from "./session.svelte.ts";
import Tools from "./Tools.svelte";

const OVER = { to_move: undefined, legal: undefined, result: { shares: [1, 0], reason: "quiet" } };
const user = userEvent.setup();
let server: FakeServer;
let session: Session;
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

interface Ways {
  chat?: boolean;
  hint?: boolean;
  unread?: number;
}

/** The tools as Ann sees them, or somebody who watches. */
async function open(
  parts: Partial<TableView> = {},
  { chat = true, hint = true, unread = 0 }: Ways = {},
  watching = false,
): Promise<void> {
  server.table = { ...TABLE, ...parts, ...(watching ? { you: undefined, legal: undefined } : {}) };
  if (!watching) takeSeat();
  session = await openSession();
  render(
    Tools,
    propsFor(session, {
      attempt,
      unread,
      menu: () => opened.push("menu"),
      chat: chat ? () => opened.push("chat") : null,
      hint: hint ? () => opened.push("hint") : null,
    }),
  );
}

const tool = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>("button", { name });
const played = { moves: ["@a1"], position_since: 3, drawing: { hand: "p", a1: "p" } };
const history = () => {
  server.history = { ...server.history, steps: [{ move: "@a1", seat: 0, effects: [DROP] }] };
};

test("before the first move nothing can be taken back or looked at", async () => {
  await open();
  for (const name of ["Take back", "Previous move", "Next move", "Replay the last moves"])
    expect(tool(name).disabled, name).toBe(true);
  await user.click(tool("Hint (H)"));
  await user.click(tool("Menu"));
  expect(opened).toEqual(["hint", "menu"]);
});

test("a move is taken back", async () => {
  history();
  server.on("POST /tables/T/undo", () => ({ number: 4 }));
  await open(played);
  await user.click(tool("Take back"));
  await expect.poll(() => server.sent("POST /tables/T/undo")).toMatchObject([{ token: TOKEN }]);
});

test("a move that cannot be taken back is refused with the reason", async () => {
  history();
  server.on("POST /tables/T/undo", () => refusal(409, "nothing-to-undo"));
  await open(played);
  await user.click(tool("Take back"));
  await expect.poll(() => errors).toEqual(["You have no move to take back."]);
});

test("one looks back and forward", async () => {
  history();
  await open(played);
  expect(tool("Next move").disabled).toBe(true);
  await user.click(tool("Previous move"));
  expect([session.playback.at, tool("Previous move").disabled]).toEqual([0, true]);
  await user.click(tool("Next move"));
  expect([session.playback.at, tool("Next move").disabled]).toEqual([1, true]);
});

test("hints wait for one’s turn", async () => {
  await open({ to_move: 1, legal: undefined });
  expect(tool("Hint (H)").disabled).toBe(true);
});

test.each([
  ["en", 1, /^Chat: 1 new message$/],
  ["en", 2, /^Chat: 2 new messages$/],
  ["fr", 1, /^Discussion\s: 1 nouveau message$/],
  ["fr", 2, /^Discussion\s: 2 nouveaux messages$/],
] as const)("unread messages are counted: %s, %i", async (language, unread, name) => {
  await speak(language);
  await open({}, { unread });
  await user.click(tool(name));
  expect(opened).toEqual(["chat"]);
});

test("a spectator takes nothing back; a table without chat has no chat button", async () => {
  await open({}, { chat: false, hint: false }, true);
  expect(screen.getAllByRole("button").map((each) => each.getAttribute("aria-label"))).toEqual([
    "Previous move",
    "Next move",
    "Replay the last moves",
    "Menu",
  ]);
});

test("after the game its review is offered, and nothing is taken back", async () => {
  await open(OVER);
  expect(screen.getByRole("link", { name: "Review" }).getAttribute("href")).toBe("/review/T");
  expect(screen.queryByRole("button", { name: "Take back" })).toBeNull();
});
