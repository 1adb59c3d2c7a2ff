import { render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { refusal, setUp, speak, tearDown, TOKEN, type FakeServer } from "$testing/components.ts";
import Reminders from "./Reminders.svelte";

const REMIND = "POST /tables/T/reminders";
const user = userEvent.setup();
let server: FakeServer;

beforeEach(async () => {
  server = await setUp();
  server.on(REMIND, () => ({ feed: "/feeds/secret", confirmed: false }));
});
afterEach(tearDown);

async function open(mail: boolean, tokens = [TOKEN]): Promise<void> {
  server.on("GET /server", () => ({ games: [], addresses: [], local: false, mail }));
  const { component } = render(Reminders, { table: "T", tokens });
  component.open();
  if (mail) await screen.findByRole("textbox", { name: "E-mail (optional)" });
}

const press = (name: string) => user.click(screen.getByRole("button", { name }));

test("without mail, a private feed is made, and shown on demand", async () => {
  await open(false);
  expect(screen.queryByRole("textbox")).toBeNull();
  await press("Remind me");
  expect(await screen.findByText(/^Your feed will let you know/)).toBeTruthy();
  expect(server.sent(REMIND)).toMatchObject([{ token: TOKEN, body: { email: "", language: "en" } }]);
  await press("Show");
  const feed = screen.getByRole<HTMLInputElement>("textbox", { name: /^Your private feed/ });
  expect(feed.value).toMatch(/\/feeds\/secret$/);
});

test.each([
  [false, /^One more step: we’ve sent you an e-mail/],
  [true, /^An e-mail and your feed will let you know/],
])("an address that was confirmed before (%s) is not asked to confirm again", async (confirmed, said) => {
  server.on(REMIND, () => ({ feed: "/feeds/secret", confirmed }));
  await open(true);
  await user.type(screen.getByRole("textbox"), "ann@example.org");
  await press("Remind me");
  expect(await screen.findByText(said)).toBeTruthy();
  expect(server.sent(REMIND)).toMatchObject([{ body: { email: "ann@example.org" } }]);
});

test("every seat of this device gets a feed", async () => {
  server.on(REMIND, ({ token }) => ({ feed: `/feeds/${token}`, confirmed: false }));
  await open(false, ["a", "b"]);
  await press("Remind me");
  await expect.poll(() => screen.queryAllByRole("button", { name: "Show" })).toHaveLength(2);
});

test("an address that is refused is said, and can be corrected", async () => {
  server.on(REMIND, () => refusal(400, "bad-address"));
  await open(true);
  await user.type(screen.getByRole("textbox"), "ann@localhost");
  await press("Remind me");
  expect((await screen.findByRole("alert")).textContent).toBe("That isn’t an e-mail address.");
  server.on(REMIND, () => ({ feed: "/feeds/secret", confirmed: true }));
  await press("Remind me");
  await expect.poll(() => screen.queryByRole("alert")).toBeNull();
});

test("reminders are stopped", async () => {
  server.on("POST /tables/T/reminders/stop", () => new Response(null, { status: 204 }));
  await open(false);
  await press("Remind me");
  await screen.findByRole("button", { name: "Show" });
  await press("Stop reminders");
  expect(await screen.findByText("You won’t be reminded of this table any more.")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Show" })).toBeNull();
});

test("in French, mail is written in French", async () => {
  await speak("fr");
  await open(false);
  await press("Me le rappeler");
  await expect.poll(() => server.sent(REMIND)).toMatchObject([{ body: { language: "fr" } }]);
});
