import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { home } from "$core/http/public-origin.svelte.ts";
import { setUp, speak, tearDown } from "$testing/components.ts";
import CopyLink from "./CopyLink.svelte";

const LABEL = "Link for spectators";
const ADDRESS = `${location.origin}/t/T`;
const user = userEvent.setup(); // with a clipboard

beforeEach(async () => {
  await setUp();
});
afterEach(() => {
  tearDown();
  home.alone = false;
});

const open = (secret = false) => render(CopyLink, { address: "/t/T", label: LABEL, secret });
const field = () => screen.getByRole<HTMLInputElement>("textbox", { name: LABEL });
const button = (name: string) => screen.getByRole("button", { name });

test("a link is shown whole, as a code too, and is selected when it has the focus", async () => {
  open();
  expect(field().value).toBe(ADDRESS);
  await user.click(field());
  expect([field().selectionStart, field().selectionEnd]).toEqual([0, ADDRESS.length]);
  await expect.poll(() => screen.getByRole("img", { name: "QR code of the link" }).innerHTML).toMatch(/<svg/);
});

test("it is copied", async () => {
  open();
  await user.click(button("Copy"));
  expect(await screen.findByRole("button", { name: "Copied" })).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe(ADDRESS);
});

test("where nothing can be copied, it is selected, and the page says how to copy it", async () => {
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("not allowed"));
  document.execCommand = () => false;
  open();
  await user.click(button("Copy"));
  await expect.poll(() => screen.getByRole("status").textContent).toMatch(/^The link is selected/);
  expect(document.activeElement).toBe(field());
  expect(button("Copy")).toBeTruthy();
});

test("a secret link is shown on demand only", async () => {
  open(true);
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(document.body.innerHTML).not.toContain("/t/T");
  await user.click(button("Show"));
  expect(field().value).toBe(ADDRESS);
});

test("where nobody else can reach the server, the page says how to start it", () => {
  home.alone = true;
  open();
  expect(
    screen.getByText(/^Only this device can open this link\..*benben serve --host 0\.0\.0\.0/),
  ).toBeTruthy();
});

test("in French", async () => {
  await speak("fr");
  open();
  await user.click(button("Copier"));
  expect(await screen.findByRole("button", { name: "Copié" })).toBeTruthy();
});
