import { expect, test } from "vitest";
import { changed, streak } from "./progress.ts";

test("only what is right at once is solved at the first try", () => {
  expect(changed(undefined, "right")).toBe("first");
  expect(changed(changed(undefined, "wrong"), "right")).toBe("later");
  expect(changed(changed(undefined, "shown"), "right")).toBe("later");
  expect(changed(changed(undefined, "shown"), "wrong")).toBe("shown");
  expect(changed("first", "wrong")).toBe("first");
});

test("a run of days goes on until midnight, and ends with a day that went wrong", () => {
  const days = { "2026-02-27": "first", "2026-02-28": "first", "2026-03-01": "first" } as const;
  expect(streak(days, "2026-03-01")).toBe(3);
  expect(streak(days, "2026-03-02")).toBe(3);
  expect(streak(days, "2026-03-03")).toBe(0);
  expect(streak({ ...days, "2026-03-02": "later" }, "2026-03-02")).toBe(0);
  expect(streak({}, "2026-03-02")).toBe(0);
});
