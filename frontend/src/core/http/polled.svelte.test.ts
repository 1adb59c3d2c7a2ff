import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "./api.ts";
import { Polled } from "./polled.svelte.ts";

let asked = 0;
let refreshed: Polled<string>;

beforeEach(() => {
  vi.useFakeTimers();
  asked = 0;
});
afterEach(() => {
  refreshed.stop();
  vi.useRealTimers();
});

async function refusedWith(status: number, every = 0): Promise<number> {
  refreshed = new Polled(() => {
    asked++;
    return Promise.reject(new ApiError(status, "code", "message"));
  }, every);
  await vi.advanceTimersByTimeAsync(20_000);
  dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(20_000);
  return asked;
}

test.each([400, 404, 409, 410, 422])(
  "what is refused for good (%i) is not asked for again",
  async (status) => {
    expect(await refusedWith(status)).toBe(1);
    expect(refreshed.trouble?.status).toBe(status);
  },
);

test.each([0, 408, 429, 503])("what may pass (%i) is asked for until it has", async (status) => {
  expect(await refusedWith(status)).toBeGreaterThan(15);
});

test("a list that is asked for now and then stops too", async () => {
  expect(await refusedWith(404, 5_000)).toBe(1);
});
