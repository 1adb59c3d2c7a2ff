// @vitest-environment happy-dom
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TABLE } from "../lib/example.ts";
import type { Line, TableView } from "../lib/types.ts";
import Chat from "./Chat.svelte";
import type { Session } from "./session.svelte.ts";

interface Sent {
  body: unknown;
  answer: (error?: Error) => void;
}

let sent: Sent[];
let failures: unknown[];
let said = $state.raw<Line[]>([]);
let chat: ReturnType<typeof mount>;

const session = {
  id: "t",
  local: [0],
  get said() {
    return said;
  },
  do: (_: string, body: unknown) =>
    new Promise<void>((done, fail) => {
      sent.push({ body, answer: (error) => (error ? fail(error) : done()) });
    }),
} as unknown as Session;

const attempt = async (action: () => Promise<unknown>) => {
  await action().catch((error: unknown) => failures.push(error));
};

function open(parts: Partial<TableView> = {}): void {
  chat = mount(Chat, { target: document.body, props: { session, table: { ...TABLE, ...parts }, attempt } });
  flushSync();
}

const field = () => document.querySelector<HTMLInputElement>("input[type=text]")!;
const list = () => document.querySelector<HTMLElement>("ul.said")!;

function type(text: string): void {
  field().value = text;
  field().dispatchEvent(new Event("input", { bubbles: true }));
  flushSync();
}

async function enter(): Promise<void> {
  document.querySelector("form")!.dispatchEvent(new Event("submit", { cancelable: true }));
  await settle();
}

async function settle(): Promise<void> {
  await new Promise((done) => setTimeout(done));
  flushSync();
}

beforeEach(() => {
  [sent, failures, said] = [[], [], []];
});
afterEach(() => unmount(chat));

test("a second Enter does not send a message twice", async () => {
  open();
  type("hello");
  await enter();
  await enter();
  sent[0]!.answer();
  await settle();
  expect(sent.map(({ body }) => body)).toEqual([{ text: "hello" }]);
  expect(field().value).toBe("");
});

test("what is typed while a message is on its way stays, and is sent after it", async () => {
  open();
  type("hello");
  await enter();
  type("how are you?");
  await enter();
  type("well");
  expect(sent).toHaveLength(1);
  sent[0]!.answer();
  await settle();
  expect(sent.map(({ body }) => body)).toEqual([{ text: "hello" }, { text: "how are you?" }]);
  expect(field().value).toBe("well");
});

test("a message that could not be sent is in the field again", async () => {
  open();
  type("hello");
  await enter();
  type("you");
  sent[0]!.answer(new Error("no network"));
  await settle();
  expect(failures).toHaveLength(1);
  expect(field().value).toBe("hello you");
});

test("a phrase that is pressed twice is said once", async () => {
  open({ listed: true });
  const button = document.querySelector<HTMLButtonElement>(".row button")!;
  button.click();
  button.click();
  await settle();
  expect(sent.map(({ body }) => body)).toEqual([{ phrase: "hello" }]);
  sent[0]!.answer();
  await settle();
  button.click();
  await settle();
  expect(sent).toHaveLength(2);
});

test("new lines are scrolled to, unless somebody reads older ones", () => {
  open();
  const at = (top: number) => {
    list().scrollTop = top;
    list().dispatchEvent(new Event("scroll"));
  };
  Object.defineProperties(list(), {
    scrollHeight: { configurable: true, get: () => 100 + 20 * said.length },
    clientHeight: { value: 100 },
  });
  const say = (seat: number) => {
    said = [...said, { number: said.length, at: 0, seat, text: "hm" } as Line];
    flushSync();
  };
  say(1);
  expect(list().scrollTop).toBe(120);
  at(0); // somebody reads older ones
  say(1);
  expect(list().scrollTop).toBe(0);
  at(40); // at the end again
  say(1);
  expect(list().scrollTop).toBe(160);
  at(0);
  say(0); // one's own line
  expect(list().scrollTop).toBe(180);
});
