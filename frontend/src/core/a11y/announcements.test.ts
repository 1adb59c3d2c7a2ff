import { render } from "@testing-library/svelte";
import { expect, test } from "vitest";
import Announcements from "./Announcements.svelte";

const changes = () => new Promise((done) => setTimeout(done)); // are seen by the observer
const place = () => document.querySelector("[aria-live]")!.closest("dialog, main")?.id;

test("announcements are in the dialog that is open, and come back from it", async () => {
  document.body.innerHTML = '<main id="page"></main><dialog id="one"></dialog><dialog id="two"></dialog>';
  const { container } = render(Announcements, { target: document.querySelector<HTMLElement>("#page")! });
  const [one, two] = [...document.querySelectorAll("dialog")];
  expect(place()).toBe("page");
  one!.setAttribute("open", "");
  await changes();
  expect(place()).toBe("one");
  two!.setAttribute("open", "");
  await changes();
  expect(place()).toBe("two");
  two!.remove(); // with what is in it
  await changes();
  expect(place()).toBe("one");
  one!.removeAttribute("open");
  await changes();
  expect(place()).toBe("page");
  expect(container.querySelectorAll("[aria-live]")).toHaveLength(4);
});
