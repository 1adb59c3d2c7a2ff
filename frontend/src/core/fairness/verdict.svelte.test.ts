import { flushSync, mount, unmount } from "svelte";
import { expect, test } from "vitest";
import type { Verdict } from "./checking.ts";
import Shown from "./Verdict.svelte";

function verdict(position: string, elsewhere = false): Verdict {
  const terms = { game: "pyramidis", options: { players: 2 }, drawn: false, commitment: "", position };
  return {
    record: { "benben-table": 1, id: "T", terms, entries: [] },
    drawn: { seats: false, dealt: 0, throws: 0, different: null },
    replayed: { found: "right" },
    noted: { promise: null, nonce: null, commitments: null, elsewhere },
    wrong: null,
  };
}

async function shown(found: Verdict): Promise<string> {
  const page = mount(Shown, { target: document.body, props: { verdict: found } });
  flushSync();
  const text = document.body.textContent ?? "";
  await unmount(page);
  return text;
}

test("of a position that was chosen no deal is said to be right", async () => {
  expect(await shown(verdict(""))).toContain("the deal, all moves and the result are right");
  const chosen = await shown(verdict("a position"));
  expect(chosen).toContain("chose the starting position");
  expect(chosen).not.toContain("the deal");
});

test("a text that came from another device is mentioned", async () => {
  expect(await shown(verdict(""))).not.toContain("another device");
  expect(await shown(verdict("", true))).toContain("Your own text came from another device");
});
