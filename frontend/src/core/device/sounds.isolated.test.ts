import { beforeEach, expect, it, vi } from "vitest";
import { device } from "./device.svelte.ts";
import type { Effect } from "$core/http/types.ts";

const started: number[] = []; // the pitch of each note
const buzzed: unknown[] = [];

let allowed = true; // whether the browser lets a context sound
class Heard {
  currentTime = 0;
  state = "suspended";
  async resume() {
    if (!allowed) throw new Error("not in a gesture");
    this.state = "running";
  }
  destination = {};
  createOscillator() {
    const frequency = {
      setValueAtTime: (hertz: number) => started.push(hertz),
      exponentialRampToValueAtTime: () => {},
    };
    return { frequency, connect: (next: unknown) => next, start: () => {}, stop: () => {} };
  }
  createGain() {
    const gain = { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} };
    return { gain, connect: (next: unknown) => next };
  }
}

vi.stubGlobal("AudioContext", Heard);
vi.stubGlobal("matchMedia", () => ({ matches: true }));
Object.defineProperty(navigator, "vibrate", { value: (buzz: unknown) => buzzed.push(buzz) });
const touched = { hasBeenActive: true };
Object.defineProperty(navigator, "userActivation", { value: touched });

const { sound, soundOf } = await import("./sounds.ts");

beforeEach(() => {
  started.length = buzzed.length = 0;
  device.settings.sounds = device.settings.vibration = touched.hasBeenActive = true;
  dispatchEvent(new Event("click")); // somebody is there
});

it("is silent unless wanted", () => {
  device.settings.sounds = device.settings.vibration = false;
  sound("won");
  expect([started, buzzed]).toEqual([[], []]);
});

it("waits until somebody has touched the page", () => {
  touched.hasBeenActive = false;
  sound("turn");
  expect([started, buzzed]).toEqual([[], []]);
});

it("has a sound of its own for everything", () => {
  const heard = (["own", "other", "gain", "turn", "illegal", "won", "lost"] as const).map((kind) => {
    started.length = 0;
    sound(kind);
    return started.join();
  });
  expect(new Set(heard).size).toBe(7);
  expect(heard).not.toContain("");
});

it("is felt where that is wanted, whether or not it is heard", () => {
  device.settings.sounds = false;
  sound("turn");
  expect([started, buzzed]).toEqual([[], [[40]]]);
});

it("knows what wins something in a game", () => {
  const effect = (kind: string): Effect => [kind, null, null, null, null] as unknown as Effect;
  const step = { effects: [effect("jump"), effect("home")] };
  expect(soundOf("pyramidis", step, true)).toBe("gain");
  expect(soundOf("quadrille", step, true)).toBe("own");
  expect(soundOf("pyramidis", { effects: [effect("jump")] }, false)).toBe("other");
});

it("is woken by a gesture, also when it was suspended in the background", async () => {
  vi.resetModules();
  const contexts: Heard[] = [];
  vi.stubGlobal(
    "AudioContext",
    class extends Heard {
      constructor() {
        super();
        contexts.push(this);
      }
    },
  );
  const { device } = await import("./device.svelte.ts");
  const { sound } = await import("./sounds.ts");
  device.settings.sounds = true;
  allowed = false;
  sound("turn");
  await Promise.resolve();
  expect(started).toEqual([]);
  allowed = true;
  for (const gesture of ["click", "touchend", "keydown"]) {
    contexts.at(-1)!.state = "interrupted"; // as Safari calls it
    dispatchEvent(new Event(gesture));
    expect(contexts.map(({ state }) => state)).toEqual(["running"]);
  }
  sound("turn");
  expect(started).toHaveLength(2);
});

it("is not made up for when it would come too late", async () => {
  vi.resetModules();
  let wake = () => {};
  class Asleep extends Heard {
    override resume = () => new Promise<void>((done) => (wake = done));
  }
  vi.stubGlobal("AudioContext", Asleep);
  const { device } = await import("./device.svelte.ts");
  const { sound } = await import("./sounds.ts");
  device.settings.sounds = true;
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  sound("turn");
  clock.mockReturnValue(5_000);
  wake();
  await new Promise((done) => setTimeout(done));
  expect(started).toEqual([]);
  clock.mockRestore();
});
