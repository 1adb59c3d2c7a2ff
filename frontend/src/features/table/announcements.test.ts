import { expect, test } from "vitest";
import type { Notice, StepView, TableView } from "$core/http/types.ts";
import { t } from "$core/i18n/words.svelte.ts";
import { newsSince, spoken, type News, type Shown } from "./announcements.ts";

const step = (move: string, seat = 0): StepView => ({ move, effects: [], seat });
const notice = (number: number, kind: string, seat = 1): Notice =>
  ({ number, at: 0, kind, seat, after: 0 }) as Notice;
const shown = (changes: Partial<Shown> = {}): Shown => ({
  steps: [step("a"), step("b", 1)],
  at: 2,
  notices: [],
  over: false,
  turn: false,
  ...changes,
});
const nothing: News = { steps: [], notices: [], over: false, turn: false };

const table = {
  game: "",
  you: 0,
  seats: [
    { name: "Ann", taken: true },
    { name: "Bob", taken: true },
  ],
} as TableView;
const ended = (...shares: number[]): TableView => ({ ...table, result: { shares, reason: "resigned" } });

test("what has been heard is no news", () => {
  expect(newsSince(shown({ notices: [notice(3, "left")] }), shown({ notices: [notice(3, "left")] }))).toEqual(
    nothing,
  );
});

test("every step that came is news, also several at once", () => {
  const { steps } = newsSince(shown({ at: 0 }), shown());
  expect(spoken(table, { ...nothing, steps }, [0])).toEqual(["Ann: a.", "Bob: b."]);
});

test("what is taken back is not told as if it were played", () => {
  const news = newsSince(shown(), shown({ steps: [step("a")], at: 1, notices: [notice(5, "undone")] }));
  expect(spoken(table, news, [0])).toEqual([t("notice.undone", { name: "Bob" })]);
});

test("all that happened besides moves is told, also what stands before what was told", () => {
  const back = notice(3.5, "reclaimed");
  const news = newsSince(
    shown({ notices: [notice(3, "left"), notice(6, "paused")] }),
    shown({ notices: [notice(3, "left"), back, notice(6, "paused"), notice(9, "taken-over")] }),
  );
  expect(spoken(table, news, [0])).toEqual([
    t("notice.reclaimed", { name: "Bob" }),
    t("notice.taken-over", { name: "Bob" }),
  ]);
});

test("a question that is heard by itself is not said twice", () => {
  const news = { ...nothing, notices: [notice(4, "undo-asked")] };
  expect(spoken(table, news, [0])).toEqual([]);
  expect(spoken(table, news, [])).toEqual([t("notice.undo-asked", { name: "Bob" })]);
});

test("the end is told once, with who won and why", () => {
  const news = newsSince(shown(), shown({ over: true }));
  const said = (...shares: number[]) => spoken(ended(...shares), news, [0]).slice(0, -1);
  expect(said(1, 0)).toEqual([t("result.you-win")]);
  expect(said(0, 1)).toEqual([`${t("result.you-lose")}.`, `${t("result.wins", { name: "Bob" })}.`]);
  expect(said(0.5, 0.5)).toEqual([`${t("result.draw")}.`]);
  expect(newsSince(shown({ over: true }), shown({ over: true })).over).toBe(false);
});

test("one's turn is told when it comes, last", () => {
  const news = newsSince(shown({ at: 1 }), shown({ turn: true }));
  expect(spoken(table, news, [0])).toEqual(["Bob: b.", "Your turn."]);
  expect(newsSince(shown({ turn: true }), shown({ turn: true })).turn).toBe(false);
});
