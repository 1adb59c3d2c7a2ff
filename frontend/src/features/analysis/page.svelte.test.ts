import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { device } from "$core/device/device.svelte.ts";
import type { PositionShown } from "$core/http/types.ts";
import AnalysisPage from "./AnalysisPage.svelte";

const DEAL = "oyoyoyoy/brbrbrbr/oyoyoyoy/brbrbrbr/oyoyoyoy/brbrbrbr - - w pawn - - 0";
const OTHER = DEAL.replace(" w ", " b ");
const NO_ANSWER = "The server isn’t answering. Try again in a moment.";

function shown(position: string): PositionShown {
  return {
    options: { players: 2 },
    view: position,
    drawing: {},
    facts: {},
    start: { drawing: {}, facts: {} },
    steps: [],
    legal: [{ move: "@a1", effects: [] }],
    to_move: 0,
  } as unknown as PositionShown;
}

let online: boolean;
let page: ReturnType<typeof mount>;

const line = () => document.querySelector(".line")?.textContent;
const button = (name: string) =>
  [...document.querySelectorAll("button")].find(({ textContent }) => textContent?.trim() === name)!;

beforeEach(async () => {
  online = true;
  device.settings.textBoard = true;
  vi.stubGlobal("matchMedia", () => ({ matches: true })); // no motion
  vi.stubGlobal("fetch", async (path: string, { body }: RequestInit = {}) => {
    if (!online) throw new TypeError("no network");
    if (path.endsWith("/games")) return Response.json({ games: [], thanks: {} });
    if (path.endsWith("/opinions")) return new Promise<Response>(() => {});
    const { position = DEAL } = JSON.parse(body as string) as { position?: string };
    return Response.json(shown(position));
  });
  history.replaceState(null, "", "/analysis/quadrille");
  page = mount(AnalysisPage, { target: document.body, props: { game: "quadrille" } });
  await vi.waitFor(() => expect(line()).toBeTruthy(), 10_000);
});

afterEach(async () => {
  await unmount(page);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Lose the network, do something, and wait until it is given up. */
async function offline(action: () => void): Promise<void> {
  vi.useFakeTimers();
  online = false;
  action();
  await vi.advanceTimersByTimeAsync(30_000);
  flushSync();
}

const follow = (fragment: string) => {
  history.replaceState(null, "", `/analysis/quadrille#${fragment}`);
  dispatchEvent(new HashChangeEvent("hashchange"));
};

test("a link followed without network leaves the board as it is, and the line tells why", async () => {
  await offline(() => follow(`v=1&players=2&from=${OTHER.replaceAll(" ", "_")}`));
  expect(line()).toBe(NO_ANSWER);
  expect(document.querySelector(".analysis")).not.toBeNull();
});

test("without network, Analyse this leaves the setup open, and the line tells why", async () => {
  button("Set up").click();
  await vi.waitFor(() => expect(button("Analyse this")).toBeTruthy(), 10_000);
  await offline(() => button("Analyse this").click());
  expect(line()).toBe(NO_ANSWER);
  expect(button("Analyse this")).toBeTruthy();
  vi.useRealTimers();
  online = true;
  button("Analyse this").click();
  await vi.waitFor(() => expect(button("Set up")).toBeTruthy(), 10_000); // it is closed
  expect(line()).not.toBe(NO_ANSWER);
});
