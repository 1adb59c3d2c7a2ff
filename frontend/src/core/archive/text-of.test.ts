import { expect, test } from "vitest";
import { textOf } from "./text-of.ts";

test("a file that cannot be read has no text", async () => {
  expect(await textOf(new Blob(["{}"]))).toBe("{}");
  const gone = Object.assign(new Blob(), {
    text: () => Promise.reject(new DOMException("gone", "NotFoundError")),
  });
  expect(await textOf(gone)).toBe("");
});
