import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { copied } from "./clipboard.ts";

let field: HTMLInputElement;
let button: HTMLButtonElement;

beforeEach(() => {
  document.body.innerHTML = '<input readonly value="http://10.0.0.2/t/abc"><button>Copy</button>';
  [field, button] = [document.querySelector("input")!, document.querySelector("button")!];
  button.focus();
});

afterEach(() => void vi.unstubAllGlobals());

test("a clipboard is used where there is one", async () => {
  const writeText = vi.fn(() => Promise.resolve());
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  expect(await copied(field)).toBe(true);
  expect(writeText).toHaveBeenCalledWith("http://10.0.0.2/t/abc");
});

const WITHOUT: [string, object][] = [
  ["without https", {}],
  ["where it is forbidden", { clipboard: { writeText: () => Promise.reject(new Error("denied")) } }],
];

test.each(WITHOUT)("%s the text is selected and copied", async (_, navigator) => {
  vi.stubGlobal("navigator", navigator);
  document.execCommand = vi.fn(() => field.selectionStart === 0 && field.selectionEnd === field.value.length);
  expect(await copied(field)).toBe(true);
  expect(document.activeElement).toBe(button);
});

test("what cannot be copied stays selected", async () => {
  vi.stubGlobal("navigator", {});
  document.execCommand = () => false;
  expect(await copied(field)).toBe(false);
  expect(document.activeElement).toBe(field);
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, field.value.length]);
});
