// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { device } from "../lib/device.svelte.ts";
import type { Effect } from "../lib/types.ts";

const started: number[] = []; // the pitch of each note
const buzzed: unknown[] = [];

class Heard {
  currentTime = 0;
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
