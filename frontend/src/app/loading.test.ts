import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import FairnessPage from "$features/fairness/FairnessPage.svelte";
import LabPage from "$features/lab/LabPage.svelte";

let page: ReturnType<typeof mount>;

beforeEach(() => vi.stubGlobal("fetch", () => new Promise(() => {}))); // no answer yet
afterEach(async () => {
  await unmount(page);
  vi.unstubAllGlobals();
});

test.each([
  ["/fairness", () => mount(FairnessPage, { target: document.body })],
  ["/lab", () => mount(LabPage, { target: document.body, props: { id: "" } })],
  ["/lab/REPORT", () => mount(LabPage, { target: document.body, props: { id: "balance" } })],
])("%s says that it loads, not that the rules do", (_, open) => {
  page = open();
  flushSync();
  expect(document.querySelector("[role=status]")?.textContent).toBe("Loading…");
});
