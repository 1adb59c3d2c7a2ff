// Runs with each test file of the project `shared` (vite.config.ts): the files of a worker have the same page and
// modules, so each file leaves both as it found them.

import { afterAll, vi } from "vitest";
import { router } from "$core/routing/router.svelte.ts";
import { shelf } from "$core/tables/game-cards.svelte.ts";
import { words } from "$core/i18n/words.svelte.ts";

// Components have the words that pages load for them.
const PARTS = Object.keys(import.meta.glob("../core/i18n/catalogue/parts/*/en.json"));
await words.load();
await Promise.all(PARTS.map((file) => words.need(file.split("/").at(-2)!)));

// What is still asked for when a test is over gets no answer.
globalThis.fetch = async () => {
  throw new TypeError("Failed to fetch");
};

// happy-dom has no sound; this one never starts.
globalThis.AudioContext ??= class {
  state = "suspended";
  resume = () => new Promise(() => {});
} as unknown as typeof AudioContext;

// happy-dom knows :checked of boxes only, and Svelte asks for the checked option of a list.
const { querySelector } = HTMLSelectElement.prototype;
HTMLSelectElement.prototype.querySelector = function (this: HTMLSelectElement, selector: string) {
  return selector === ":checked" ? this.selectedOptions[0] : querySelector.call(this, selector);
} as typeof querySelector;

afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  document.body.replaceChildren();
  localStorage.clear();
  dispatchEvent(new StorageEvent("storage", { key: null })); // stores read everything again
  router.replace("/");
  shelf.cards = [];
  await words.load();
});
