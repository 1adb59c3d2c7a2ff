import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { importWithRetry } from "./import-with-retry.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("what is there at once is loaded once", async () => {
  const load = vi.fn(() => Promise.resolve("board"));
  expect(await importWithRetry(load)).toBe("board");
  expect(load).toHaveBeenCalledTimes(1);
});

test("what cannot be loaded is tried again, as long as it takes", async () => {
  const load = vi.fn<() => Promise<string>>();
  for (let n = 0; n < 9; n++) load.mockRejectedValueOnce(new Error("no network"));
  load.mockResolvedValue("board");
  const failing = vi.fn();
  const loaded = importWithRetry(load, failing);
  await pass(60_000);
  expect(await loaded).toBe("board");
  expect(failing.mock.calls.flat()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test("when the network is back nobody waits", async () => {
  const load = vi.fn<() => Promise<string>>();
  for (let n = 0; n < 8; n++) load.mockRejectedValueOnce(new Error("no network"));
  load.mockResolvedValue("board");
  const loaded = importWithRetry(load);
  await pass(20_000); // between the seventh and the eighth try there are eight seconds at most
  const tried = load.mock.calls.length;
  dispatchEvent(new Event("online"));
  await pass(1);
  expect(load.mock.calls.length).toBe(tried + 1);
  await pass(60_000);
  expect(await loaded).toBe("board");
});

test("a style sheet that did not come is asked for before its module is", async () => {
  const address = "http://here/assets/Board-1a.css";
  const load = vi.fn(() => Promise.resolve("board"));
  load.mockImplementationOnce(() => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    Object.defineProperty(link, "href", { value: address }); // happy-dom would try to load it
    document.body.append(link);
    link.dispatchEvent(new Event("error"));
    return Promise.reject(new Error(`Unable to preload CSS for ${address}`));
  });
  const asked: string[] = [];
  vi.spyOn(document.head, "append").mockImplementation((link) => {
    asked.push((link as HTMLLinkElement).href);
    const event = new Event(asked.length === 1 ? "error" : "load");
    setTimeout(() => (link as HTMLLinkElement).dispatchEvent(event));
  });
  const loaded = importWithRetry(load);
  await pass(10_000);
  expect(await loaded).toBe("board");
  expect(asked).toEqual([address, address]);
  expect(load).toHaveBeenCalledTimes(2);
  expect(document.querySelectorAll("link")).toHaveLength(0);
});
