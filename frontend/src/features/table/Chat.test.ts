import { render, screen, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TABLE } from "$testing/table.ts";
import { errorMessage } from "$core/describe/errors.ts";
import {
  openSession,
  refusal,
  reloadDevice,
  setUp,
  speak,
  takeSeat,
  tearDown,
  type FakeServer,
} from "$testing/components.ts";
import Chat from "./Chat.svelte";
import { Unread } from "./unread.svelte.ts";

const CHAT = "POST /tables/T/chat";
const user = userEvent.setup();
let server: FakeServer;
let errors: string[];

beforeEach(async () => {
  server = await setUp();
  server.on(CHAT, () => ({ number: 4 }));
  errors = [];
});
afterEach(tearDown);

async function open(): Promise<void> {
  const session = await openSession();
  const attempt = async (action: () => Promise<unknown>) => {
    await action().catch((error: unknown) => errors.push(errorMessage(error)));
  };
  render(Chat, {
    session,
    attempt,
    unread: new Unread(session),
    get table() {
      return session.table!;
    },
  });
}

const field = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Write a message" });
const lines = () => within(screen.getByRole("list")).getAllByRole("listitem");

test("a message is sent for one’s seat, and shown when the server tells of it", async () => {
  takeSeat();
  await open();
  expect(lines()[0]!.textContent).toBe("No messages yet.");
  await user.type(field(), "hello{Enter}");
  await expect.poll(() => server.sent(CHAT)).toMatchObject([{ token: "ann-token", body: { text: "hello" } }]);
  expect(field().value).toBe("");
  server.say(0, "hello");
  await expect.poll(() => lines()[0]!.textContent).toMatch(/^Ann hello/);
});

test.each([
  [409, "too-much-talk", "This table’s chat is full."],
  [403, "phrases-only", "Among strangers, chat here is limited to preset phrases."],
  [400, "bad-talk", "A message has 1 to 300 characters."],
])(
  "a message that is refused (%i %s) stays in the field, and the reason is told",
  async (status, code, why) => {
    server.on(CHAT, () => refusal(status, code));
    takeSeat();
    await open();
    await user.type(field(), "hello{Enter}");
    await expect.poll(() => errors).toEqual([why]);
    expect(field().value).toBe("hello");
  },
);

test("a message has 300 characters at most, and one at least", async () => {
  takeSeat();
  await open();
  await user.click(field());
  await user.paste("x".repeat(400));
  expect(field().value).toHaveLength(300);
  await user.clear(field());
  await user.type(field(), "   {Enter}");
  await user.type(field(), "x{Enter}");
  await expect.poll(() => server.sent(CHAT).map(({ body }) => body)).toEqual([{ text: "x" }]);
});

test("at a public table there are phrases, and no field", async () => {
  server.table = { ...TABLE, listed: true };
  takeSeat();
  await open();
  expect(screen.queryByRole("textbox")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Well played!" }));
  await expect.poll(() => server.sent(CHAT).map(({ body }) => body)).toEqual([{ phrase: "well-played" }]);
});

test("who is muted is not heard, also after a reload, until unmuted", async () => {
  takeSeat();
  await open();
  server.say(1, "first");
  server.say(0, "second");
  await expect.poll(() => lines()).toHaveLength(2);
  await user.click(screen.getByRole("button", { name: "Mute Bob", pressed: false }));
  expect(lines().map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/^Ann second/)]);
  reloadDevice();
  server.say(1, "third");
  server.say(0, "fourth");
  await expect.poll(() => lines().at(-1)!.textContent).toMatch(/^Ann fourth/);
  expect(lines()).toHaveLength(2);
  await user.click(screen.getByRole("button", { name: "Unmute Bob", pressed: true }));
  expect(lines()).toHaveLength(4);
});

test("nobody mutes themselves, a free seat, or a bot that stands in", async () => {
  const seats = [{ name: "Ann", taken: true }, { name: "Bob", taken: true, away: true, level: 2 }, {}];
  server.table = { ...TABLE, seats };
  takeSeat();
  await open();
  expect(screen.queryByRole("button", { name: /^Mute/ })).toBeNull();
});

test("spectators read and mute, but do not write", async () => {
  server.table = { ...TABLE, you: undefined, legal: undefined };
  await open();
  server.say(1, "hello");
  await expect.poll(() => lines()[0]!.textContent).toMatch(/^Bob hello/);
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(screen.getAllByRole("button").map(({ textContent }) => textContent!.trim())).toEqual([
    "Mute Ann",
    "Mute Bob",
  ]);
});

test("unread messages of others are counted", async () => {
  takeSeat();
  await open();
  expect(screen.getByRole("heading").textContent).toBe("Chat ");
  server.say(1, "one");
  server.say(0, "mine");
  expect(await screen.findByLabelText("Chat: 1 new message")).toBeTruthy();
  server.say(1, "two");
  expect(await screen.findByLabelText("Chat: 2 new messages")).toBeTruthy();
});

test("in French", async () => {
  await speak("fr");
  takeSeat();
  await open();
  expect(screen.getByRole("region", { name: "Discussion" })).toBeTruthy();
  expect(screen.getByRole("textbox", { name: "Écrire un message" })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Masquer Bob" })).toBeTruthy();
  server.on(CHAT, () => refusal(409, "too-much-talk"));
  await user.type(screen.getByRole("textbox"), "bonjour");
  await user.click(screen.getByRole("button", { name: "Envoyer" }));
  await expect.poll(() => errors).toEqual(["La discussion de cette table est pleine."]);
});
