// Sounds, off unless wanted.

import { device } from "../lib/device.svelte.ts";

let context: AudioContext | null = null;

/** A knock of stone on wood: low for one's own move, higher for another's. */
export function sound(whose: "own" | "other"): void {
  if (!device.settings.sounds) return;
  context ??= new AudioContext();
  const now = context.currentTime;
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.frequency.setValueAtTime(whose === "own" ? 180 : 260, now);
  tone.frequency.exponentialRampToValueAtTime(60, now + 0.12);
  volume.gain.setValueAtTime(0.25, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.16);
  tone.connect(volume).connect(context.destination);
  tone.start(now);
  tone.stop(now + 0.17);
}
