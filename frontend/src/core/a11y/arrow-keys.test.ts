import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { arrowKeys } from "./arrow-keys.ts";

const user = userEvent.setup();
let stop = () => {};

function build(role: string, buttons: string): HTMLElement {
  document.body.innerHTML = `<div role="${role}">${buttons}</div><button>after</button>`;
  const container = document.querySelector<HTMLElement>(`[role=${role}]`)!;
  stop = arrowKeys(container);
  return container;
}

const focused = () => document.activeElement?.textContent;
const stops = (container: HTMLElement) =>
  [...container.querySelectorAll("button")]
    .filter(({ tabIndex }) => tabIndex === 0)
    .map((each) => each.textContent);
const changes = () => new Promise((done) => setTimeout(done)); // are seen by the observer

beforeEach(() => (document.body.innerHTML = ""));
afterEach(() => stop());

test("a toolbar is one tab stop, and arrow keys go round", async () => {
  build("toolbar", "<button>a</button><button disabled>b</button><button>c</button>");
  await user.tab();
  expect(focused()).toBe("a");
  await user.keyboard("{ArrowRight}");
  expect(focused()).toBe("c");
  await user.keyboard("{ArrowRight}");
  expect(focused()).toBe("a");
  await user.keyboard("{ArrowLeft}");
  expect(focused()).toBe("c");
  await user.keyboard("{Home}");
  expect(focused()).toBe("a");
  await user.keyboard("{End}");
  expect(focused()).toBe("c");
  await user.tab();
  expect(focused()).toBe("after");
  await user.tab({ shift: true });
  expect(focused()).toBe("c"); // where one was
});

test("a toolbar has a tab stop whatever comes and goes", async () => {
  const bar = build("toolbar", "<button>a</button><button>b</button>");
  expect(stops(bar)).toEqual(["a"]);
  bar.querySelector("button")!.disabled = true;
  await changes();
  expect(stops(bar)).toContain("b");
  bar.insertAdjacentHTML("beforeend", "<button>c</button>");
  bar.children[1]!.remove();
  await changes();
  expect(stops(bar)).toContain("c");
});

test("keys of a toolbar are not the page's, and others are", async () => {
  const bar = build("toolbar", "<button>a</button><button>b</button>");
  const heard: string[] = [];
  const hear = ({ key }: KeyboardEvent) => heard.push(key);
  addEventListener("keydown", hear);
  bar.querySelector("button")!.focus();
  await user.keyboard("{ArrowRight}x");
  removeEventListener("keydown", hear);
  expect(heard).toEqual(["x"]);
});

test("an arrow key selects a tab, and the selected one is the stop", async () => {
  const list = build(
    "tablist",
    '<button role="tab" aria-selected="false">a</button><button role="tab" aria-selected="true">b</button>',
  );
  const tabs = [...list.querySelectorAll("button")];
  for (const tab of tabs)
    tab.onclick = () => tabs.forEach((each) => each.setAttribute("aria-selected", String(each === tab)));
  await user.tab();
  expect(focused()).toBe("b");
  await user.keyboard("{ArrowRight}");
  expect(focused()).toBe("a");
  expect(tabs[0]!.getAttribute("aria-selected")).toBe("true");
  await changes();
  expect(stops(list)).toEqual(["a"]);
});
