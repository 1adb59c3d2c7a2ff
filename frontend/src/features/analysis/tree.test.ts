import { describe, expect, it } from "vitest";
import {
  after,
  has,
  isMain,
  lastOf,
  movesTo,
  nodeAt,
  nodesOf,
  numberOf,
  played,
  promoted,
  removed,
  withLine,
  type Place,
  type Tree,
} from "./tree.ts";

const START: Place = { tree: [], path: [] };
const line = (...moves: string[]) => moves.reduce((place, move) => played(place, move), START);
// a b c, and after a also d e
const FORK = ["d", "e"].reduce((place, move) => played(place, move), {
  tree: line("a", "b", "c").tree,
  path: [0] as readonly number[],
});

describe("playing", () => {
  it("goes along what is known and branches where it is not", () => {
    expect(movesTo(FORK.tree, FORK.path)).toEqual(["a", "d", "e"]);
    expect(FORK.path).toEqual([0, 1, 0]);
    expect(played({ tree: FORK.tree, path: [] }, "a")).toEqual({ tree: FORK.tree, path: [0] });
    expect(after(FORK.tree, [0]).map(({ move }) => move)).toEqual(["b", "d"]);
  });

  it("adds a line without leaving where one is", () => {
    const { tree, path } = withLine({ tree: FORK.tree, path: [0] }, ["b", "x"]);
    expect(path).toEqual([0]);
    expect(movesTo(tree, [0, 0, 1])).toEqual(["a", "b", "x"]);
  });

  it("changes no tree that somebody has", () => {
    const before = JSON.stringify(FORK.tree);
    played(FORK, "z");
    removed(FORK);
    promoted(FORK);
    expect(JSON.stringify(FORK.tree)).toBe(before);
  });
});

describe("branches", () => {
  it("are promoted where they leave the line", () => {
    expect(isMain(FORK.path)).toBe(false);
    const { tree, path } = promoted(FORK);
    expect(path).toEqual([0, 0, 0]);
    expect(movesTo(tree, path)).toEqual(["a", "d", "e"]);
    expect(movesTo(tree, [0, 1, 0])).toEqual(["a", "b", "c"]);
    expect(promoted({ tree, path })).toEqual({ tree, path });
  });

  it("are removed with all that follows", () => {
    const { tree, path } = removed({ tree: FORK.tree, path: [0, 0] });
    expect(path).toEqual([0]);
    expect(movesTo(tree, lastOf(tree, []))).toEqual(["a", "d", "e"]);
    expect(removed({ tree, path: [] })).toEqual({ tree, path: [] });
  });

  it("have an end", () => {
    expect(lastOf(FORK.tree, [0, 1])).toEqual([0, 1, 0]);
    expect(lastOf(FORK.tree, [])).toEqual([0, 0, 0]);
    expect(has(FORK.tree, [0, 1, 0])).toBe(true);
    expect(has(FORK.tree, [0, 2])).toBe(false);
  });
});

it("every node has its number", () => {
  const all: Tree = FORK.tree;
  const paths = [[], ...nodesOf(all)];
  expect(paths.length).toBe(6);
  expect(paths.map((path) => numberOf(all, path))).toEqual([0, 1, 2, 3, 4, 5]);
  for (const path of paths) expect(nodeAt(all, numberOf(all, path))).toEqual(path);
  expect(nodeAt(all, 99)).toEqual([]);
});
