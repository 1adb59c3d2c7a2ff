import { render, screen, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { device, type Settings as Chosen } from "$core/device/device.svelte.ts";
import { permission } from "$core/device/notification-permission.svelte.ts";
import { words } from "$core/i18n/words.svelte.ts";
import { reloadDevice, setUp, speak, tearDown } from "$testing/components.ts";
import Header from "./Header.svelte";
import Settings from "./Settings.svelte";

const user = userEvent.setup();
const settable = permission as { possible: boolean }; // found out when the page is loaded

beforeEach(async () => {
  await setUp();
});
afterEach(() => {
  tearDown();
  settable.possible = false;
});

function open(): void {
  const { component } = render(Settings);
  component.open();
}

/** What is chosen after the page has been loaded again. */
async function stored(): Promise<Chosen> {
  const [close] = screen.getAllByRole("button", { name: /^(Close|Fermer)$/ });
  await user.click(close!);
  reloadDevice();
  return device.settings;
}

const choose = (list: string, choice: string) =>
  user.selectOptions(screen.getByRole("combobox", { name: list }), choice);
const box = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });

test.each([
  ["Confirm every move", "confirm"],
  ["Show the risk of rolling again (Bâtisseurs)", "risk"],
  ["Boards as text instead of pictures", "textBoard"],
  ["Sounds", "sounds"],
] as const)("“%s” is off, and stays on once it is chosen", async (name, setting) => {
  open();
  expect(box(name).checked).toBe(false);
  await user.click(box(name));
  expect((await stored())[setting]).toBe(true);
});

test.each([
  ["Theme", "Dark", "theme", "dark"],
  ["Theme", "Light", "theme", "light"],
  ["Animation speed", "Slow", "pace", "slow"],
  ["Animation speed", "Normal", "pace", "normal"],
  ["Animation speed", "Fast", "pace", "fast"],
] as const)("of “%s”, “%s” is stored", async (list, choice, setting, value) => {
  open();
  expect(screen.getByRole<HTMLSelectElement>("combobox", { name: list }).value).toBe("");
  await choose(list, choice);
  expect((await stored())[setting]).toBe(value);
});

test("a name is stored", async () => {
  open();
  await user.type(screen.getByRole("textbox", { name: "Your name" }), "Eve");
  expect((await stored()).name).toBe("Eve");
});

test("another language is spoken at once, and stored", async () => {
  open();
  await choose("Language", "Français");
  await words.load(); // as the page does when the setting changes
  expect(screen.getByRole("dialog", { name: "Réglages" })).toBeTruthy();
  expect(box("Confirmer chaque coup")).toBeTruthy();
  expect(document.documentElement.lang).toBe("fr");
  expect((await stored()).language).toBe("fr");
});

test("the header changes the language by one press, back and forth", async () => {
  render(Header);
  await user.click(screen.getByRole("button", { name: "Français" }));
  await words.load();
  expect(screen.getByRole("button", { name: "Réglages" })).toBeTruthy();
  reloadDevice();
  expect(device.settings.language).toBe("fr");
  await user.click(screen.getByRole("button", { name: "English" }));
  await words.load();
  expect(screen.getByRole("button", { name: "Settings" })).toBeTruthy();
});

test("vibration is offered on phones only", async () => {
  open();
  expect(screen.queryByRole("checkbox", { name: "Vibration" })).toBeNull();
  tearDown();
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  vi.stubGlobal("navigator", Object.create(navigator, { vibrate: { value: () => true } }));
  open();
  expect(box("Vibration").checked).toBe(true);
  await user.click(box("Vibration"));
  expect((await stored()).vibration).toBe(false);
});

/** A browser that answers a question about notifications like this. */
function browserAnswers(answer: NotificationPermission): void {
  const asked = {
    permission: "default" as NotificationPermission,
    requestPermission: async () => (asked.permission = answer),
  };
  vi.stubGlobal("Notification", asked);
  settable.possible = true;
  permission.look();
}

test("notifications are on once the browser allows them", async () => {
  browserAnswers("granted");
  open();
  await user.click(box("Notify me when it is my turn"));
  await expect.poll(() => box("Notify me when it is my turn").checked).toBe(true);
  expect((await stored()).notify).toBe(true);
});

test.each([
  ["on a secure page", true, /^Your browser blocks notifications/],
  ["over http", false, /^Browsers only allow notifications on secure pages/],
])("where the browser refuses %s, it says why, and the wish is stored", async (_, secure, why) => {
  vi.stubGlobal("isSecureContext", secure);
  browserAnswers("denied");
  open();
  await user.click(box("Notify me when it is my turn"));
  expect(await screen.findByText(why)).toBeTruthy();
  expect(box("Notify me when it is my turn").checked).toBe(false);
  expect((await stored()).notify).toBe(true);
});

test("the keys are explained when somebody asks", async () => {
  open();
  expect(document.querySelector("dl")).toBeNull();
  await user.click(screen.getByText("Keyboard"));
  await expect.poll(() => document.querySelector("dl")).not.toBeNull();
  const keys = within(document.querySelector("details")!);
  expect(keys.getByText("H").closest("div")!.textContent).toMatch(/hint/i);
});

test("in French, with the names of the keys", async () => {
  await speak("fr");
  open();
  expect(screen.getByRole("dialog", { name: "Réglages" })).toBeTruthy();
  await user.click(screen.getByText("Clavier"));
  expect(await screen.findByText("Espace")).toBeTruthy();
});
