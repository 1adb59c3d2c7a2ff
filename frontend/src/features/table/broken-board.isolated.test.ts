// A table whose board throws: the rest of the page goes on, and so does the game, in words.

import { render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { device } from "$core/device/device.svelte.ts";
import Failing from "$testing/Failing.svelte";
import { setUp, speak, takeSeat, tearDown, textOf, type FakeServer } from "$testing/components.ts";
import { failing } from "$testing/failing.svelte.ts";
import { TABLE } from "$testing/table.ts";
import TablePage from "./TablePage.svelte";

vi.mock("$engine/boards.ts", () => ({
  boardOf: () => async () => ({ default: Failing }),
  pacingOf: () => ({}),
}));

const REPORTS = "POST /client-errors";
let server: FakeServer;

beforeEach(async () => {
  server = await setUp();
  device.meet("quadrille");
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.useFakeTimers();
  Object.assign(failing, { onRender: false, later: false });
});
afterEach(tearDown);

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const press = async (name: string) => (screen.getByRole("button", { name }).click(), await pass(50));

async function open(): Promise<void> {
  takeSeat();
  render(TablePage, { id: "T" });
  await pass(100);
}

function expectTheRestIsThere(): void {
  expect(screen.getAllByTestId("seat")).toHaveLength(2);
  expect(screen.getByTestId("move-log")).toBeTruthy();
  expect(screen.getByRole("toolbar", { name: "Tools" })).toBeTruthy();
  expect(textOf(screen.getByTestId("status-lead"))).toBe("Your turn");
}

test.each(["onRender", "later"] as const)("a board that fails (%s) can be tried again", async (when) => {
  failing.onRender = when === "onRender";
  await open();
  failing.later = when === "later";
  await pass(0);
  expect(textOf(screen.getByRole("alert"))).toMatch(/^The board can’t be shown: something went wrong\./);
  expectTheRestIsThere();
  await press("Try again");
  expect(screen.getByTestId("board-failed")).toBeTruthy(); // it is still broken
  Object.assign(failing, { onRender: false, later: false });
  await press("Try again");
  expect(screen.getByText("The part works")).toBeTruthy();
  expectTheRestIsThere();
});

test("a game whose board fails goes on in words, and the server is told once", async () => {
  Object.assign(failing, { onRender: true, message: "told once" });
  await open();
  await press("Show the board as text");
  expectTheRestIsThere();
  server.on("POST /tables/T/move", () => {
    server.play(0, "@a1", TABLE.legal![0]!.effects, { to_move: 1 });
    return { number: 4 };
  });
  const board = screen.getByTestId("board");
  [...board.querySelectorAll("button")].find((each) => /a1/.test(each.textContent!))!.click();
  await pass(5_000);
  expect(textOf(screen.getByTestId("status-lead"))).toBe("Bob’s turn");
  expect(screen.getAllByTestId("move")).toHaveLength(1);
  expect(server.sent(REPORTS).map(({ body }) => body)).toMatchObject([{ message: "Error: told once" }]);
});

test("in French", async () => {
  await speak("fr");
  failing.onRender = true;
  await open();
  expect(textOf(screen.getByRole("alert"))).toMatch(/^Le plateau ne peut pas être affiché/);
  expect(screen.getByRole("button", { name: "Afficher le plateau sous forme de texte" })).toBeTruthy();
});
