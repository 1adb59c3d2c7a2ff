import { render, screen } from "@testing-library/svelte";
import { createRawSnippet } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { setUp, speak, tearDown } from "$testing/components.ts";
import { words } from "$core/i18n/words.svelte.ts";
import Lazy from "./Lazy.svelte";
import NotFound from "./NotFound.svelte";

let failures: number; // until the part can be imported
let imports: number;

beforeEach(async () => {
  await setUp();
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(1); // the longest waits
  [failures, imports] = [0, 0];
});
afterEach(tearDown);

const children = createRawSnippet((text: () => string) => ({ render: () => `<p>${text()}</p>` }));

async function load(): Promise<string> {
  imports++;
  if (failures > 0) {
    failures--;
    throw new TypeError("Failed to fetch dynamically imported module");
  }
  return "The part";
}

async function open(): Promise<void> {
  render(Lazy<string>, { load, children });
  await vi.advanceTimersByTimeAsync(0);
}

test("a part is shown as soon as it is loaded, without another word", async () => {
  await open();
  expect(screen.getByText("The part")).toBeTruthy();
  expect(screen.queryByRole("status")).toBeNull();
});

test("a part is shown when its words are there, too", async () => {
  let found = () => {};
  vi.spyOn(words, "need").mockImplementation((name) =>
    name === "keys" ? new Promise((done) => (found = done)) : Promise.reject(name),
  );
  render(Lazy<string>, { load, children, parts: ["keys"] });
  await vi.advanceTimersByTimeAsync(0);
  expect(screen.queryByText("The part")).toBeNull();
  found();
  await vi.advanceTimersByTimeAsync(0);
  expect(screen.getByText("The part")).toBeTruthy();
});

test("an import that fails is said, tried again, and forgotten once it succeeds", async () => {
  failures = 1;
  await open();
  expect(screen.getByRole("status").textContent).toContain(
    "This part of the page has not loaded yet. Trying again…",
  );
  expect(screen.queryByRole("button")).toBeNull();
  await vi.advanceTimersByTimeAsync(500);
  expect(screen.getByText("The part")).toBeTruthy();
  expect(screen.queryByRole("status")).toBeNull();
});

test("after three failures the page can be reloaded, while it goes on trying", async () => {
  failures = 3;
  await open();
  await vi.advanceTimersByTimeAsync(1_500);
  expect(imports).toBe(3);
  const reload = vi.spyOn(location, "reload").mockImplementation(() => {});
  screen.getByRole("button", { name: "Reload the page" }).click();
  expect(reload).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(screen.getByText("The part")).toBeTruthy();
});

test("when the network is back nobody waits", async () => {
  failures = 1;
  await open();
  dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  expect(screen.getByText("The part")).toBeTruthy();
});

const snippet = (text: string) => createRawSnippet(() => ({ render: () => `<p>${text}</p>` }));

test("where there is another way on, it is offered once the part has failed often", async () => {
  failures = 3;
  render(Lazy<string>, { load, children, more: snippet("Another way") });
  await vi.advanceTimersByTimeAsync(0);
  expect(screen.queryByText("Another way")).toBeNull();
  await vi.advanceTimersByTimeAsync(1_500);
  expect(screen.getByText("Another way")).toBeTruthy();
});

test("what is shown instead is there until the part is, without another word", async () => {
  failures = 1;
  render(Lazy<string>, { load, children, instead: snippet("A picture") });
  await vi.advanceTimersByTimeAsync(0);
  expect(screen.getByText("A picture")).toBeTruthy();
  expect(screen.queryByRole("status")).toBeNull();
  await vi.advanceTimersByTimeAsync(1_500);
  expect(screen.queryByText("A picture")).toBeNull();
  expect(screen.getByText("The part")).toBeTruthy();
});

test("in French", async () => {
  await speak("fr");
  failures = 3;
  await open();
  await vi.advanceTimersByTimeAsync(1_500);
  expect(screen.getByRole("status").textContent).toMatch(/Nouvel essai…/);
  expect(screen.getByRole("button", { name: "Recharger la page" })).toBeTruthy();
});

test("a page that does not exist says so, and leads back", () => {
  render(NotFound, { title: "No such page", why: "The link may be incomplete." });
  expect(screen.getByRole("heading", { name: "No such page" })).toBeTruthy();
  expect(screen.getByText("The link may be incomplete.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Back to the games" }).getAttribute("href")).toBe("/");
  expect(document.title).toBe("No such page · Benben");
});
