import { describe, expect, it } from "vitest";
import { BadLink, read, written, type Linked } from "./link.ts";
import { played, promoted, type Place } from "./tree.ts";

const LINES = [
  ["d1*1", "d8*1", "d1*3"],
  ["d1*1", "d8*2", "d1*1"],
  ["d1*1", "d8*2", "e2", "pass"],
  ["d1*2"],
  ["d1*1", "d8*1", "d1*3", "d8*4"],
];
const grown = (lines: string[][]): Place =>
  lines.reduce<Place>(({ tree }, moves) => moves.reduce<Place>(played, { tree, path: [] }), {
    tree: [],
    path: [],
  });

const EXAMPLES: Linked[] = [
  {
    options: { players: 2, first: 1, pair: "bm" },
    from: "d1=bbbbbbbb,d8=mmmmmmmm b0m0 b 0",
    ...grown(LINES),
  },
  {
    options: { players: 2, first: "random", mode: "fair" },
    from: "g/pO/gPO OG|- 1 g?",
    ...promoted(grown([["o@1", "g@2"], ["p@1"]])),
  },
  {
    options: { players: 4, placing: "all" },
    from: "xx..../o..../..../.../../.|....../...../..../.../../. 1 aabc 5 1",
    ...grown([["=aabcde", "a1", "roll", "=abcde"], ["=aabcdf"]]),
  },
  {
    options: { players: 2, layout: "random" },
    from: "oyo(yr)oyo./brb..rbr f4,h4 d3,g5 b token o b 1",
    ...grown([["+f5", "c3d4"], ["@c3"]]),
  },
  { options: {}, from: "x", tree: [], path: [] },
];

describe("a link", () => {
  it.each(EXAMPLES)("holds it all: $from", (example) => {
    expect(read(written(example))).toEqual(example);
    expect(written(read(written(example)))).toBe(written(example));
    // As some programs write it.
    expect(read(encodeURIComponent(written(example)))).toEqual(example);
    expect(new URL(`http://x/#${written(example)}`).hash).toBe(`#${written(example)}`);
  });

  it("reads like moves that people write", () => {
    expect(written(EXAMPLES[0]!)).toBe(
      "v=1&players=2&first=1&pair=bm&from=d1=bbbbbbbb,d8=mmmmmmmm_b0m0_b_0" +
        "&moves=d1*1(d1*2),d8*1(d8*2,d1*1(e2,pass)),d1*3,d8*4&at=4",
    );
  });
});

const NONSENSE = [
  "",
  "hello",
  "v=2&from=x",
  "from=x",
  "v=1",
  "v=1&v=1&from=x",
  "v=1&from=x&moves=a,,b",
  "v=1&from=x&moves=(a)",
  "v=1&from=x&moves=a(b",
  "v=1&from=x&moves=a)b",
  "v=1&from=x&moves=a(a)",
  "v=1&from=x&moves=a(b)c",
  "v=1&from=x&moves=a,",
  "v=1&from=x&moves=<script>",
  "v=1&from=x&at=-1",
  "v=1&from=x&at=1e9",
  "v=1&from=x&players=%",
  "v=1&from=x&Players=2",
  "v=1&from=x&players=two two",
  `v=1&from=x&moves=${Array(1001).fill("a").join(",")}`,
  `v=1&from=${"x".repeat(13_000)}`,
];

it.each(NONSENSE)("nonsense is told as such: %s", (fragment) => {
  expect(() => read(fragment)).toThrow(BadLink);
});

it("a node that is not there is the start", () => {
  expect(read("v=1&from=x&moves=a,b&at=7").path).toEqual([]);
});
