// All keys, for the code that listens to them and for the help that lists them. The catalogue `keys` says what they do.

import { device } from "$core/device/device.svelte.ts";

export const KEYS = {
  choose: ["Enter", " "],
  walk: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"],
  count: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
  "let-go": ["Escape"],
  hint: ["h"],
  back: ["[", ","],
  forward: ["]", "."],
  better: ["b"],
} satisfies Record<string, string[]>;

export type Shortcut = keyof typeof KEYS;

const FIELDS = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';

/** Whether a dialog is open: then keys are for the dialog, not for the page behind it. */
export const isDialogOpen = (): boolean => document.querySelector("dialog[open]") !== null;

/** Whether a key is pressed alone, outside of form fields, and not behind a dialog. */
export function isForPage({ target, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  const inField = target instanceof Element && target.closest(FIELDS) !== null;
  return !(altKey || ctrlKey || metaKey || inField || isDialogOpen());
}

/** Whether a key writes a character. Such shortcuts can be switched off (WCAG 2.1.4); the space key is a button's. */
const isCharacter = (key: string): boolean => key.length === 1 && key !== " ";

/** The meaning of a key that is pressed for the page; null if it has none. */
export function shortcut(event: KeyboardEvent): Shortcut | null {
  if (!isForPage(event) || (isCharacter(event.key) && !device.settings.shortcuts)) return null;
  const found = Object.entries(KEYS).find(([, keys]) => keys.includes(event.key));
  return found ? (found[0] as Shortcut) : null;
}
