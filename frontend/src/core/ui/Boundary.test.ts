import { render, screen } from "@testing-library/svelte";
import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi, type Mock } from "vitest";
import { setUp, speak, tearDown } from "$testing/components.ts";
import { failing } from "$testing/failing.svelte.ts";
import Parts from "$testing/Parts.svelte";

let complaints: Mock;

beforeEach(async () => {
  await setUp();
  Object.assign(failing, { onRender: false, later: false });
  complaints = vi.spyOn(console, "error").mockImplementation(() => {}) as unknown as Mock;
});
afterEach(tearDown);

const again = (name = "Try again") => flushSync(() => screen.getByRole("button", { name }).click());

/** The part beside the one that fails. */
function expectTheRestWorks(): void {
  const count = screen.getByRole("button", { name: /^Count/ });
  const before = Number(count.textContent!.slice("Count ".length));
  flushSync(() => count.click());
  expect(count.textContent).toBe(`Count ${before + 1}`);
}

test("a part that does not fail is there, without another word", () => {
  render(Parts);
  expect(screen.getByText("The part works")).toBeTruthy();
  expect(screen.queryByTestId("failed")).toBeNull();
});

test("a part that fails as it is rendered says so, and can be tried again", () => {
  failing.onRender = true;
  render(Parts);
  expect(screen.getByRole("alert").textContent).toBe("Something went wrong here.");
  expect(complaints).toHaveBeenCalledWith(new Error("broken"));
  expectTheRestWorks();
  again();
  expect(screen.getByRole("alert")).toBeTruthy(); // it is still broken
  failing.onRender = false;
  again();
  expect(screen.getByText("The part works")).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a part that fails later is taken away, and can be tried again", () => {
  render(Parts);
  expectTheRestWorks();
  flushSync(() => (failing.later = true));
  expect(screen.getByRole("alert").textContent).toBe("Something went wrong here.");
  expect(screen.queryByText("The part works")).toBeNull();
  expectTheRestWorks();
  failing.later = false;
  again();
  expect(screen.getByText("The part works")).toBeTruthy();
});

test("a page that fails also leads back", () => {
  failing.onRender = true;
  render(Parts, { page: true });
  expect(screen.getByRole("alert").textContent).toBe("Something went wrong on this page.");
  expect(screen.getByRole("link", { name: "Back to the games" }).getAttribute("href")).toBe("/");
});

test("in French", async () => {
  await speak("fr");
  failing.onRender = true;
  render(Parts);
  expect(screen.getByRole("alert").textContent).toBe("Une erreur s’est produite ici.");
  failing.onRender = false;
  again("Réessayer");
  expect(screen.getByText("The part works")).toBeTruthy();
});
