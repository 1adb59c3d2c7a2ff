import { expect, it } from "vitest";
import { countsIn } from "./game-card.ts";

it("counts players as people do", () => {
  expect(countsIn([2], "en")).toBe("2");
  expect(countsIn([2, 3, 4], "en")).toBe("2–4");
  expect(countsIn([2, 4], "en")).toBe("2 or 4");
  expect(countsIn([2, 4], "fr")).toBe("2 ou 4");
});
