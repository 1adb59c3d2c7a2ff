import { describe, expect, it } from "vitest";
import en from "$core/i18n/catalogue/parts/keys/en.json";
import fr from "$core/i18n/catalogue/parts/keys/fr.json";
import { device } from "$core/device/device.svelte.ts";
import { KEYS, shortcut } from "./shortcuts.ts";

const press = (key: string, more: KeyboardEventInit = {}) => new KeyboardEvent("keydown", { key, ...more });
const SOURCES = import.meta.glob<string>(
  ["../../**/*.{ts,svelte}", "!../../**/*.test.ts", "!./shortcuts.ts"],
  {
    query: "?raw",
    import: "default",
    eager: true,
  },
);

/** Files that may name keys, and why. */
const EXCEPTIONS = {
  "../../app/KeyboardHelp.svelte": "the sign of each arrow key",
  "../../engine/roving.ts": "the direction of each arrow key",
  "../../features/review/Graph.svelte": "keys of a slider, while it has the focus",
  "../../features/review/Moves.svelte": "keys of a list, while it has the focus",
  "../../features/table/Log.svelte": "keys of a list, while it has the focus",
};

describe("keys", () => {
  it("mean one thing each", () => {
    const all = Object.values(KEYS).flat();
    expect(new Set(all).size).toBe(all.length);
    for (const [name, keys] of Object.entries(KEYS))
      for (const key of keys) expect(shortcut(press(key))).toBe(name);
  });

  it("are for nothing else, nor with another key", () => {
    expect(shortcut(press("x"))).toBeNull();
    expect(shortcut(press("h", { ctrlKey: true }))).toBeNull();
    expect(shortcut(press("h", { altKey: true }))).toBeNull();
    expect(shortcut(press("h", { metaKey: true }))).toBeNull();
  });

  it("write while something is written", () => {
    for (const kind of ["input", "textarea", "select", "div"]) {
      const box = document.body.appendChild(document.createElement(kind));
      if (kind === "div") box.setAttribute("contenteditable", "true");
      let meant: unknown;
      box.addEventListener("keydown", (event) => (meant = shortcut(event)));
      box.dispatchEvent(press("h"));
      expect(meant).toBeNull();
      box.remove();
    }
  });

  it("do nothing behind a dialog", () => {
    const dialog = document.body.appendChild(document.createElement("dialog"));
    expect(shortcut(press("h"))).toBe("hint");
    dialog.setAttribute("open", "");
    for (const key of Object.values(KEYS).flat()) expect(shortcut(press(key))).toBeNull();
    dialog.remove();
    expect(shortcut(press("h"))).toBe("hint");
  });

  it("of one character do nothing if they are switched off", () => {
    device.settings.shortcuts = false;
    const working = Object.entries(KEYS).filter(([, keys]) => keys.some((key) => shortcut(press(key))));
    device.settings.shortcuts = true;
    expect(working.map(([name]) => name)).toEqual(["choose", "walk", "let-go"]);
  });

  it("are told in both languages, and nothing else is", () => {
    const told = (words: object) =>
      Object.keys(words)
        .filter((key) => key.startsWith("keys.does."))
        .map((key) => key.slice(10));
    expect(told(en).sort()).toEqual(Object.keys(KEYS).sort());
    expect(told(fr).sort()).toEqual(Object.keys(KEYS).sort());
  });

  it("are named nowhere else, but in widgets that have keys of their own", () => {
    const long = [...Object.values(KEYS).flat(), "PageUp", "PageDown", "Tab"].filter((key) => key.length > 1);
    const names = long.join("|");
    const naming = new RegExp(`event\\.key [!=]== "|"(?:${names})"|\\b(?:${names}): `);
    const found = Object.entries(SOURCES).filter(([, text]) => naming.test(text));
    expect(Object.keys(SOURCES).length).toBeGreaterThan(200);
    expect(found.map(([path]) => path).sort()).toEqual(Object.keys(EXCEPTIONS));
  });
});
