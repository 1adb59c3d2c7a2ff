import { beforeEach, expect, test } from "vitest";
import { device } from "$core/device/device.svelte.ts";
import type { Line, SeatView, TableView } from "$core/http/types.ts";
import { hasTalk, heardAt, Unread } from "./unread.svelte.ts";

const line = (number: number, seat: number): Line => ({ number, at: 0, seat, text: `line ${number}` });
const at = (...seats: SeatView[]) => ({ seats }) as TableView;
const person: SeatView = { name: "Ann", taken: true };
const bot: SeatView = { level: 2 };

class Talk {
  id = "t1";
  local = [0];
  said = $state.raw<Line[]>([]);
}

beforeEach(() => {
  localStorage.clear();
  device.muted = [];
});

test("lines of others are unread until they are seen", () => {
  const talk = new Talk();
  const unread = new Unread(talk);
  expect(unread.count).toBe(0);
  talk.said = [line(3, 1), line(4, 0), line(5, 1)];
  expect(unread.count).toBe(2);
  unread.see();
  expect(unread.count).toBe(0);
  talk.said = [...talk.said, line(9, 1)];
  expect(unread.count).toBe(1);
});

test("what was seen stays so when the page is loaded anew, at its own table", () => {
  const talk = new Talk();
  talk.said = [line(3, 1)];
  new Unread(talk).see();
  talk.said = [...talk.said, line(4, 1)];
  expect(new Unread(talk).count).toBe(1);
  talk.id = "t2";
  expect(new Unread(talk).count).toBe(2);
});

test("whatever is stored, it is read", () => {
  const talk = new Talk();
  talk.said = [line(3, 1)];
  for (const stored of ["{", "7", '{"t1": 5}', "null"]) {
    localStorage.setItem("benben.read", stored);
    expect(new Unread(talk).count).toBe(1);
  }
});

test("who is muted is neither heard nor counted", () => {
  const talk = new Talk();
  talk.said = [line(3, 1), line(4, 2)];
  device.mute("t1", 1);
  expect(heardAt(talk).map(({ number }) => number)).toEqual([4]);
  expect(new Unread(talk).count).toBe(1);
});

test("there is talk among people, not with bots, programs or oneself", () => {
  const talk = new Talk();
  expect(hasTalk(talk, at(person, bot))).toBe(false);
  expect(hasTalk(talk, at(person, { ...person, program: true }))).toBe(false);
  expect(hasTalk(talk, at(person, person))).toBe(true);
  expect(hasTalk(talk, at(person, { ...person, level: 3, away: true }))).toBe(true); // who may come back
  talk.local = [0, 1];
  expect(hasTalk(talk, at(person, person))).toBe(false);
});

test("who watches has nobody to talk to, but may read", () => {
  const talk = new Talk();
  talk.local = [];
  expect(hasTalk(talk, at(person, person))).toBe(false);
  talk.said = [line(3, 1)];
  expect(hasTalk(talk, at(person, person))).toBe(true);
});
