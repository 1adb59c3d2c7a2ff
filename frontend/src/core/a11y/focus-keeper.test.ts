import { afterEach, beforeEach, describe, expect, test, vi, type MockInstance } from "vitest";
import { hideRingAfterDialogs, keepsFocus } from "./focus-keeper.ts";

let main: HTMLElement;
let stop: () => void;
const there = (id: string) => document.getElementById(id)!;

beforeEach(() => {
  document.body.innerHTML = `<main tabindex="-1">
    <button id="far">far</button>
    <div id="group"><button id="one">one</button><button id="two">two</button></div>
  </main>`;
  main = document.querySelector("main")!;
  HTMLElement.prototype.checkVisibility ??= () => true;
  stop = keepsFocus(main);
});
afterEach(() => stop());

async function isFocused(element: () => Element): Promise<void> {
  await vi.waitFor(() => expect(document.activeElement).toBe(element()));
}

/** Long enough for it to have been moved. */
async function frames(): Promise<void> {
  for (let count = 0; count < 3; count++) await new Promise((done) => requestAnimationFrame(done));
}

test("what is removed leaves its focus to what is nearest", async () => {
  there("two").focus();
  there("two").remove();
  await isFocused(() => there("one"));
});

test("where nothing is left near it, further out", async () => {
  there("two").focus();
  there("group").remove();
  await isFocused(() => there("far"));
});

test("where nothing is left at all, where the page begins", async () => {
  there("two").focus();
  main.replaceChildren();
  await isFocused(() => main);
});

test("what took the focus itself keeps it", async () => {
  there("two").focus();
  there("two").remove();
  there("far").focus();
  await frames();
  await isFocused(() => there("far"));
});

test("what comes a little later, in the same place, has it", async () => {
  there("two").focus();
  there("group").replaceChildren();
  setTimeout(() => there("group").append(Object.assign(document.createElement("button"), { id: "new" })), 60);
  await isFocused(() => there("new"));
});

test("other things may come and go", async () => {
  there("two").focus();
  there("far").remove();
  await frames();
  await isFocused(() => there("two"));
});

test("it works in browsers without checkVisibility", async () => {
  const { checkVisibility } = HTMLElement.prototype;
  const boxes = vi.spyOn(HTMLElement.prototype, "getClientRects").mockReturnValue([{}] as never);
  HTMLElement.prototype.checkVisibility = undefined as never;
  there("two").focus();
  there("two").remove();
  await isFocused(() => there("one"));
  expect(boxes).toHaveBeenCalled();
  HTMLElement.prototype.checkVisibility = checkVisibility;
  vi.restoreAllMocks();
});

test("an element that is focused anew at once is still remembered", async () => {
  there("two").focus();
  there("two").blur();
  there("two").focus();
  await Promise.resolve();
  there("two").remove();
  await isFocused(() => there("one"));
});

describe("after a dialog is closed", () => {
  let stopHiding: () => void;
  let focus: MockInstance<HTMLElement["focus"]>;

  beforeEach(() => {
    stopHiding = hideRingAfterDialogs();
    document.body.append(document.createElement("dialog"));
  });
  afterEach(() => {
    stopHiding();
    vi.restoreAllMocks();
  });

  /** Close the dialog by some input; as browsers do, its focus goes back to an element first. */
  function close(input: Event, element: HTMLElement): void {
    const dialog = document.querySelector("dialog")!;
    dialog.dispatchEvent(input);
    element.focus();
    focus = vi.spyOn(element, "focus");
    dialog.dispatchEvent(new Event("close"));
  }
  const pointer = () => new PointerEvent("pointerdown", { bubbles: true });
  const key = () => new KeyboardEvent("keydown", { key: "Escape", bubbles: true });

  test("with a pointer, what has the focus again shows no ring", () => {
    close(pointer(), there("two"));
    expect(focus).toHaveBeenCalledExactlyOnceWith({ preventScroll: true, focusVisible: false });
    expect(document.activeElement).toBe(there("two"));
  });

  test("with a key, it does", () => {
    document.body.dispatchEvent(pointer());
    close(key(), there("two"));
    expect(focus).not.toHaveBeenCalled();
  });

  test("a field shows it in any case", () => {
    const field = main.appendChild(document.createElement("input"));
    close(pointer(), field);
    expect(focus).not.toHaveBeenCalled();
  });
});
