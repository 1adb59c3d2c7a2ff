import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import Fairness from "./Fairness.svelte";
import Lab from "./Lab.svelte";

let page: ReturnType<typeof mount>;

beforeEach(() => vi.stubGlobal("fetch", () => new Promise(() => {}))); // no answer yet
afterEach(async () => {
  await unmount(page);
  vi.unstubAllGlobals();
});

test.each([
  ["/fairness", () => mount(Fairness, { target: document.body })],
  ["/lab", () => mount(Lab, { target: document.body, props: { id: "" } })],
  ["/lab/REPORT", () => mount(Lab, { target: document.body, props: { id: "balance" } })],
])("%s says that it loads, not that the rules do", (_, open) => {
  page = open();
  flushSync();
  expect(document.querySelector("[role=status]")?.textContent).toBe("Loading…");
});
