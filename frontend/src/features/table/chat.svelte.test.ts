import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test } from "vitest";
import { device } from "$core/device/device.svelte.ts";
import { TABLE } from "$testing/table.ts";
import type { Line, TableView } from "$core/http/types.ts";
import Chat from "./Chat.svelte";
import type { Session } from "./session.svelte.ts";

interface Sent {
  body: unknown;
  answer: (error?: Error) => void;
}

let sent: Sent[];
let failures: unknown[];
let lines = $state.raw<Line[]>([]);
let chat: ReturnType<typeof mount>;

const session = {
  id: "t",
  seats: { local: [0] },
  feed: {
    get chat() {
      return lines;
    },
  },
  actions: {
    post: (_: string, body: unknown) =>
      new Promise<void>((done, fail) => {
        sent.push({ body, answer: (error) => (error ? fail(error) : done()) });
      }),
  },
} as unknown as Session;

let broken = false; // `attempt` itself fails
const attempt = async (action: () => Promise<unknown>) => {
  await action().catch((error: unknown) => {
    failures.push(error);
    if (broken) throw error;
  });
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
  [sent, failures, lines, broken] = [[], [], [], false];
  device.muted = [];
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

test("failed messages return to the field in the order they were sent", async () => {
  open();
  for (const text of ["first", "second", "third"]) {
    type(text);
    await enter();
  }
  type("draft");
  for (const index of [0, 1, 2]) {
    sent[index]!.answer(new Error("no network"));
    await settle();
  }
  expect(field().value).toBe("first second third draft");
});

test("a failed message returns to the start of a field that was edited or sent meanwhile", async () => {
  open();
  type("first");
  await enter();
  type("second");
  await enter();
  sent[0]!.answer(new Error("no network"));
  await settle();
  await enter(); // sends "first" again, after "second"
  sent[1]!.answer(new Error("no network"));
  await settle();
  sent[2]!.answer(new Error("no network"));
  await settle();
  expect(field().value).toBe("second first");
  type("third");
  await enter();
  type("fourth");
  await enter();
  sent[3]!.answer(new Error("no network"));
  await settle();
  type("edited");
  sent[4]!.answer(new Error("no network"));
  await settle();
  expect(field().value).toBe("fourth edited");
});

test("if attempt rejects, later messages are still sent", async () => {
  broken = true;
  open();
  type("first");
  await enter();
  type("second");
  await enter();
  sent[0]!.answer(new Error("broken"));
  await settle();
  expect(sent.map(({ body }) => body)).toEqual([{ text: "first" }, { text: "second" }]);
});

const phrases = () => [...document.querySelectorAll<HTMLButtonElement>(".row button")];

test("if attempt rejects, the same phrase can be sent again", async () => {
  broken = true;
  open({ listed: true });
  const [hello, goodLuck] = phrases();
  hello!.click();
  goodLuck!.click();
  await settle();
  sent[0]!.answer(new Error("broken"));
  await settle();
  hello!.click();
  sent[1]!.answer();
  await settle();
  expect(sent.map(({ body }) => body)).toEqual([
    { phrase: "hello" },
    { phrase: "good-luck" },
    { phrase: "hello" },
  ]);
});

test("another phrase pressed while one is being sent is sent after it", async () => {
  open({ listed: true });
  const [hello, goodLuck] = phrases();
  hello!.click();
  goodLuck!.click();
  await settle();
  expect(sent.map(({ body }) => body)).toEqual([{ phrase: "hello" }]);
  sent[0]!.answer();
  await settle();
  expect(sent.map(({ body }) => body)).toEqual([{ phrase: "hello" }, { phrase: "good-luck" }]);
});

test("a phrase that is pressed twice is said once", async () => {
  open({ listed: true });
  const button = phrases()[0]!;
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

/** Scroll the list, as somebody who reads it does. */
function scrollList(top: number): void {
  list().scrollTop = top;
  list().dispatchEvent(new Event("scroll"));
}

/** A list that is 100 px high and grows by 20 px with each line. */
function measureList(): void {
  Object.defineProperties(list(), {
    scrollHeight: { configurable: true, get: () => 100 + 20 * lines.length },
    clientHeight: { value: 100 },
  });
}

function say(seat: number): void {
  lines = [...lines, { number: lines.length, at: 0, seat, text: "hm" } as Line];
  flushSync();
}

test("new lines are scrolled to, unless somebody reads older ones", () => {
  open();
  measureList();
  say(1);
  expect(list().scrollTop).toBe(120);
  scrollList(0); // somebody reads older ones
  say(1);
  expect(list().scrollTop).toBe(0);
  scrollList(40); // at the end again
  say(1);
  expect(list().scrollTop).toBe(160);
  scrollList(0);
  say(0); // one's own line
  expect(list().scrollTop).toBe(180);
});

test("one's own line is scrolled to only when it is new", () => {
  open();
  measureList();
  for (const seat of [1, 0]) say(seat);
  scrollList(0); // somebody reads older ones
  device.mute("t", 1);
  flushSync();
  expect(list().scrollTop).toBe(0);
  lines = [...lines]; // the same lines, after a reconnect
  flushSync();
  expect(list().scrollTop).toBe(0);
  say(0);
  expect(list().scrollTop).toBe(160);
});
