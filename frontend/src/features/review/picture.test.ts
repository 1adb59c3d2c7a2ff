import { expect, test } from "vitest";
import { pictureOf } from "./picture.ts";

const COLOURS = {
  ground: "rgb(255, 253, 248)",
  text: "rgb(0, 0, 0)",
  soft: "rgb(90, 90, 90)",
  line: "rgb(200, 200, 200)",
  seats: ["rgb(1, 2, 3)", "rgb(4, 5, 6)"],
};

test("a picture stands alone, whatever people are called", () => {
  const svg = pictureOf(
    {
      title: 'Ann & <b> "Bob"',
      names: ["Ann", "<b>"],
      chances: [
        [0.5, 0.5],
        [1, 0],
      ],
      turns: [1],
      percents: (share) => `${100 * share}%`,
      moves: "1 move",
    },
    COLOURS,
  );
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
  expect(parsed.querySelector("parsererror")).toBeNull();
  expect(parsed.querySelector("title")?.textContent).toBe('Ann & <b> "Bob"');
  expect(svg).not.toMatch(/var\(|url\(|class=|style=|href=/);
  const lines = [...parsed.querySelectorAll("path[stroke-width]")];
  expect(lines.map((line) => line.getAttribute("stroke"))).toEqual(COLOURS.seats);
  expect(lines.map((line) => line.getAttribute("stroke-dasharray"))).toEqual([null, "7 4"]);
  expect(svg).toContain("&lt;b&gt; 0%");
});
