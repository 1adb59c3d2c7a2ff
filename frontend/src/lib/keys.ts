// Keys, in one list: whatever listens to them and whatever tells of them reads it here. What they do is said in the
// catalogue `keys`.

export const KEYS = {
  choose: ["Enter", " "],
  walk: ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"],
  count: ["1", "2", "3", "4", "5", "6", "7", "8", "9"],
  "let-go": ["Escape"],
  hint: ["h"],
  back: ["[", ","],
  forward: ["]", "."],
} satisfies Record<string, string[]>;

export type Shortcut = keyof typeof KEYS;

/** What a key that is pressed alone is for; null while something is written, or if it is for nothing. */
export function shortcut(event: KeyboardEvent): Shortcut | null {
  const { target, key, altKey, ctrlKey, metaKey } = event;
  if (altKey || ctrlKey || metaKey) return null;
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return null;
  const found = Object.entries(KEYS).find(([, keys]) => keys.includes(key));
  return found ? (found[0] as Shortcut) : null;
}
