import { flushSync } from "svelte";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { announcer, type Manner } from "$core/a11y/announcer.svelte.ts";
import type { Readiness } from "$core/tables/readiness.svelte.ts";
import type { Why } from "$core/http/types.ts";
import { words } from "$core/i18n/words.svelte.ts";
import type { Session } from "./session.svelte.ts";

const sounds: string[] = [];
vi.mock("$core/device/sounds.ts", () => ({ sound: (kind: string) => sounds.push(kind) }));
const { StatusText } = await import("./status-line.svelte.ts");

const REASON = { rule: "hole", parameters: { to: "a1" } } as unknown as Why;
let reason = $state.raw<Why | null | undefined>(null); // null: not loaded; undefined: loaded, and there is none
let said: [string, Manner][];
let line: InstanceType<typeof StatusText>;

beforeAll(() => Promise.all([words.load(), words.need("quadrille"), words.need("table")]));

beforeEach(() => {
  vi.useFakeTimers();
  [reason, said, sounds.length] = [null, [], 0];
  vi.spyOn(announcer, "say").mockImplementation((text, manner = "polite") => void said.push([text, manner]));
  const session = {
    table: { game: "quadrille", seats: [], to_move: 0 },
    playback: { isFollowing: true, at: 0, effect: null },
    feed: { timeline: { steps: [] }, isConnected: true },
    seats: { local: [0] },
    actions: { refusal: () => reason },
    live: true,
  };
  line = new StatusText(
    session as unknown as Session,
    {} as Readiness,
    () => true,
    () => "",
  );
});

afterEach(() => {
  line.close();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function comes(): void {
  reason = REASON;
  flushSync();
}

const HOLE = "a1 is a hole.";
const GENERAL = "That isn’t possible now.";

test("a refusal whose reason is known is said and heard once", () => {
  comes();
  line.explainIllegal("a1");
  vi.advanceTimersByTime(2_000);
  expect([said, sounds]).toEqual([[[HOLE, "assertive"]], ["illegal"]]);
  expect(line.rule).toBe("hole");
});

test("a reason that comes soon is all that is said", () => {
  line.explainIllegal("a1");
  vi.advanceTimersByTime(200);
  comes();
  vi.advanceTimersByTime(2_000);
  expect([said, sounds]).toEqual([[[HOLE, "assertive"]], ["illegal"]]);
});

test("one that comes late interrupts nobody, and makes no second sound", () => {
  line.explainIllegal("a1");
  vi.advanceTimersByTime(1_000);
  expect(line.note).toBe(GENERAL);
  comes();
  expect(said.map(([, manner]) => manner)).toEqual(["assertive", "polite"]);
  expect(line.note).toBe(HOLE);
  expect(sounds).toEqual(["illegal"]);
});

test("without a reason among those loaded, the general text is said at once", () => {
  reason = undefined;
  line.explainIllegal("a1");
  expect(line.note).toBe(GENERAL);
  vi.advanceTimersByTime(2_000);
  expect([said, sounds]).toEqual([[[GENERAL, "assertive"]], ["illegal"]]);
});

test("if the reasons are loaded soon and have none, the general text is said then, once", () => {
  line.explainIllegal("a1");
  vi.advanceTimersByTime(200);
  reason = undefined;
  flushSync();
  expect(line.note).toBe(GENERAL);
  vi.advanceTimersByTime(2_000);
  expect(said).toEqual([[GENERAL, "assertive"]]);
});

test("if they are loaded late and have none, the general text is not said again", () => {
  line.explainIllegal("a1");
  vi.advanceTimersByTime(1_000);
  reason = undefined;
  flushSync();
  expect(said).toEqual([[GENERAL, "assertive"]]);
});

test("nothing is said of a moment that has passed", () => {
  line.explainIllegal("a1");
  line.clearForNewMoment();
  vi.advanceTimersByTime(1_000);
  comes();
  expect([said, line.note]).toEqual([[], ""]);
});
