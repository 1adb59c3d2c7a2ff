import { expect, test } from "vitest";
import type { Review } from "$core/http/types.ts";
import { accountsOf } from "./luck-breakdown.ts";

const SEAT = { accuracy: 90, decisions: 4, best: 2 };
const REVIEW = {
  exact: true,
  start: [0.6, 0.4],
  steps: [{ chances: [1, 0] }],
  seats: [
    { ...SEAT, lost: 0.1, luck: 0.3 },
    { ...SEAT, lost: 0.2, luck: -0.3 },
  ],
} as unknown as Review;

test("from the start to the end: luck, one's own decisions, and the others'", () => {
  const [first, second] = accountsOf(REVIEW)!;
  expect(first!.others).toBeCloseTo(0.2);
  expect(second!.others).toBeCloseTo(0.1);
  for (const { start, dice, own, others, end } of [first!, second!])
    expect(start + dice + own + others).toBeCloseTo(end);
});

test("estimates are not added up, and where no dice are thrown there is nothing to tell apart", () => {
  expect(accountsOf({ ...REVIEW, exact: false })).toBeNull();
  expect(accountsOf({ ...REVIEW, seats: [{ ...SEAT, lost: 0 }] })).toBeNull();
  expect(accountsOf({ ...REVIEW, steps: [] })).toBeNull();
});
