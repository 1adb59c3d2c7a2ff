// Sounds, off unless wanted, and what is felt of them in the hand. All are made here: nothing is loaded.

import { device } from "./device.svelte.ts";
import { canVibrate } from "./vibration.ts";
import type { StepView } from "$core/http/types.ts";

/** What can be heard: moves, something won by one, one's turn, a tap that means nothing, the end. */
export type Sound = "own" | "other" | "gain" | "turn" | "illegal" | "won" | "lost";

interface Note {
  at: number; // seconds after the first
  from: number; // hertz
  to?: number; // where its pitch falls; it stays unless said
  length: number; // seconds
  volume: number;
}

const knock = (from: number): Note => ({ at: 0, from, to: 60, length: 0.16, volume: 0.25 }); // stone on wood
const chime = (at: number, from: number, length = 0.22): Note => ({ at, from, length, volume: 0.1 });

const NOTES: Record<Sound, Note[]> = {
  own: [knock(180)],
  other: [knock(260)],
  gain: [knock(180), chime(0.05, 784), chime(0.13, 1047)],
  turn: [chime(0, 523), chime(0.12, 659)],
  illegal: [{ at: 0, from: 130, to: 80, length: 0.12, volume: 0.12 }],
  won: [chime(0, 523), chime(0.12, 659), chime(0.24, 784), chime(0.36, 1047, 0.5)],
  lost: [chime(0, 392), chime(0.16, 330), chime(0.32, 262, 0.45)],
};

/** Milliseconds of buzzing and of pauses, in turn. */
const BUZZES: Partial<Record<Sound, number[]>> = {
  own: [12],
  gain: [20, 40, 20],
  turn: [40],
  illegal: [8, 30, 8],
  won: [40, 60, 40, 60, 120],
  lost: [90],
};

/** Which kinds of effects of a game win something, as a piece that comes home. */
const GAINS = import.meta.glob<{ gains: string[] }>("../../games/*/sounds.json", {
  eager: true,
  import: "default",
});

/** How a step sounds, by what it does and whose it is. */
export function soundOf(game: string, { effects }: Pick<StepView, "effects">, own: boolean): Sound {
  const gains = GAINS[`../../games/${game}/sounds.json`]?.gains ?? [];
  if (effects.some(([kind]) => gains.includes(kind))) return "gain";
  return own ? "own" : "other";
}

let context: AudioContext | null = null;

/** Let it be heard, and felt, as far as this device's owner likes. */
export function sound(kind: Sound): void {
  // Browsers wait for somebody to touch the page first, and complain of pages that do not.
  if (navigator.userActivation?.hasBeenActive === false) return;
  if (device.settings.sounds) ring(NOTES[kind]);
  if (device.settings.vibration && canVibrate()) navigator.vibrate(BUZZES[kind] ?? []);
}

const MAX_DELAY_MS = 300; // a sound that comes later is skipped

/** Safari lets a context sound only from a gesture on, and suspends it again while the page is in the background. */
function wake(): void {
  if (!device.settings.sounds) return;
  context ??= new AudioContext();
  if (context.state !== "running") context.resume().catch(() => {});
}

for (const gesture of ["click", "touchend", "keydown"])
  addEventListener(gesture, wake, { capture: true, passive: true });

function ring(notes: Note[]): void {
  context ??= new AudioContext();
  if (context.state === "running") return strike(context, notes);
  const asked = performance.now();
  context.resume().then(
    () => performance.now() - asked < MAX_DELAY_MS && strike(context!, notes),
    () => {}, // nobody has touched the page
  );
}

function strike(context: AudioContext, notes: Note[]): void {
  for (const { at, from, to = from, length, volume } of notes) {
    const start = context.currentTime + at;
    const end = start + length;
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.frequency.setValueAtTime(from, start);
    tone.frequency.exponentialRampToValueAtTime(to, end);
    gain.gain.setValueAtTime(volume, start);
    gain.gain.exponentialRampToValueAtTime(0.001, end);
    tone.connect(gain).connect(context.destination);
    tone.start(start);
    tone.stop(end);
  }
}
