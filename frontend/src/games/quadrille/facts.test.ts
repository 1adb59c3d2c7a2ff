import { expect, it } from "vitest";
import { sidesOf } from "./facts.ts";

it("tells each seat's pawns, and what the other's close to it", () => {
  expect(sidesOf({ colours: ["W", "B"], control: ["br", ""] })).toEqual({
    pawns: ["W", "B"],
    closed: ["", "br"],
  });
});

it("tells nothing of what is not there", () => {
  expect(sidesOf({})).toEqual({ pawns: [], closed: [] });
});
