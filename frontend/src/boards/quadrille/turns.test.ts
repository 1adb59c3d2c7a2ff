import { expect, it } from "vitest";
import { Turns } from "./turns.ts";

it("remembers whose turn it was", () => {
  const turns = new Turns();
  expect(turns.of({ hand: "r" }, null, undefined)).toBe(null);
  expect(turns.of({ hand: "r" }, null, "… a1 b2 b step r - 0")).toBe(1);
  expect(turns.of({ hand: "r", gift: "o" }, ["step", "a1", "a2", "B", 1], undefined)).toBe(1);
  expect(turns.of({ hand: "", gift: "o" }, ["place", "hand", "d4", "r", null], undefined)).toBe(1);
  expect(turns.of({ hand: "o", gift: "" }, ["give", "gift", "hand", "o", 0], undefined)).toBe(0);
  expect(turns.of({ hand: "r" }, null, undefined)).toBe(1);
  expect(turns.of({ hand: "y" }, null, undefined)).toBe(null);
});
