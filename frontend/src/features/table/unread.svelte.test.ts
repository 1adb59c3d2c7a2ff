import { beforeEach, expect, test } from "vitest";
import { device } from "$core/device/device.svelte.ts";
import type { Line, SeatView, TableView } from "$core/http/types.ts";
import { hasChat, unmutedLines, Unread } from "./unread.svelte.ts";

const line = (number: number, seat: number): Line => ({ number, at: 0, seat, text: `line ${number}` });
const at = (...seats: SeatView[]) => ({ seats }) as TableView;
const person: SeatView = { name: "Ann", taken: true };
const bot: SeatView = { level: 2 };

class FakeFeed {
  chat = $state.raw<Line[]>([]);
}

class FakeSession {
  id = "t1";
  seats = { local: [0] };
  feed = new FakeFeed();
}

beforeEach(() => {
  localStorage.clear();
  device.muted = [];
});

test("lines of others are unread until they are seen", () => {
  const session = new FakeSession();
  const unread = new Unread(session);
  expect(unread.count).toBe(0);
  session.feed.chat = [line(3, 1), line(4, 0), line(5, 1)];
  expect(unread.count).toBe(2);
  unread.see();
  expect(unread.count).toBe(0);
  session.feed.chat = [...session.feed.chat, line(9, 1)];
  expect(unread.count).toBe(1);
});

test("what was seen stays so when the page is loaded anew, at its own table", () => {
  const session = new FakeSession();
  session.feed.chat = [line(3, 1)];
  new Unread(session).see();
  session.feed.chat = [...session.feed.chat, line(4, 1)];
  expect(new Unread(session).count).toBe(1);
  session.id = "t2";
  expect(new Unread(session).count).toBe(2);
});

test("whatever is stored, it is read", () => {
  const session = new FakeSession();
  session.feed.chat = [line(3, 1)];
  for (const stored of ["{", "7", '{"t1": 5}', "null"]) {
    localStorage.setItem("benben.read", stored);
    expect(new Unread(session).count).toBe(1);
  }
});

test("who is muted is neither heard nor counted", () => {
  const session = new FakeSession();
  session.feed.chat = [line(3, 1), line(4, 2)];
  device.mute("t1", 1);
  expect(unmutedLines(session).map(({ number }) => number)).toEqual([4]);
  expect(new Unread(session).count).toBe(1);
});

test("there is session among people, not with bots, programs or oneself", () => {
  const session = new FakeSession();
  expect(hasChat(session, at(person, bot))).toBe(false);
  expect(hasChat(session, at(person, { ...person, program: true }))).toBe(false);
  expect(hasChat(session, at(person, person))).toBe(true);
  expect(hasChat(session, at(person, { ...person, level: 3, away: true }))).toBe(true); // who may come back
  session.seats.local = [0, 1];
  expect(hasChat(session, at(person, person))).toBe(false);
});

test("who watches has nobody to session to, but may read", () => {
  const session = new FakeSession();
  session.seats.local = [];
  expect(hasChat(session, at(person, person))).toBe(false);
  session.feed.chat = [line(3, 1)];
  expect(hasChat(session, at(person, person))).toBe(true);
});
