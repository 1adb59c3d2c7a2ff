// Moves with branches. Of a node's moves the first one is the main line. Nothing in here changes: whatever is
// done makes another tree.

export interface Branch {
  move: string;
  next: Tree;
}
export type Tree = readonly Branch[]; // what may follow, the main line first
export type Path = readonly number[]; // which of them was taken at each step

export interface Place {
  tree: Tree;
  path: Path;
}

/** The moves on the way to a node. */
export function movesTo(tree: Tree, path: Path): string[] {
  const moves: string[] = [];
  for (const at of path) {
    moves.push(tree[at]!.move);
    tree = tree[at]!.next;
  }
  return moves;
}

/** What follows a node. */
export const after = (tree: Tree, path: Path): Tree => path.reduce((from, at) => from[at]!.next, tree);

/** Whether there is such a node. */
export function has(tree: Tree, path: Path): boolean {
  for (const at of path) {
    if (!tree[at]) return false;
    tree = tree[at].next;
  }
  return true;
}

/** The tree with something else after a node. */
function replaced(tree: Tree, path: Path, change: (from: Tree) => Tree): Tree {
  const [at, ...rest] = path;
  if (at === undefined) return change(tree);
  return tree.map((each, index) =>
    index === at ? { ...each, next: replaced(each.next, rest, change) } : each,
  );
}

/** Play a move after a node: a new branch, unless it is there already. */
export function played({ tree, path }: Place, move: string): Place {
  const from = after(tree, path);
  const known = from.findIndex((each) => each.move === move);
  if (known >= 0) return { tree, path: [...path, known] };
  return {
    tree: replaced(tree, path, (all) => [...all, { move, next: [] }]),
    path: [...path, from.length],
  };
}

/** Play several; one stays where one was. */
export function withLine({ tree, path }: Place, moves: readonly string[]): Place {
  const end = moves.reduce((place, move) => played(place, move), { tree, path });
  return { tree: end.tree, path };
}

/** Take away a node with all that follows it; a viewer of it moves to the node before. */
export function removed({ tree, path }: Place): Place {
  const before = path.slice(0, -1);
  const at = path.at(-1);
  if (at === undefined) return { tree, path };
  return { tree: replaced(tree, before, (all) => all.filter((_, index) => index !== at)), path: before };
}

/** Whether a node is on the main line. */
export const isMain = (path: Path): boolean => path.every((at) => at === 0);

/** Make the branch that a node is on the main one, where it last leaves another. */
export function promoted({ tree, path }: Place): Place {
  const fork = path.findLastIndex((at) => at > 0);
  if (fork < 0) return { tree, path };
  const at = path[fork]!;
  const order = (all: Tree) => [all[at]!, ...all.filter((_, index) => index !== at)];
  return {
    tree: replaced(tree, path.slice(0, fork), order),
    path: path.map((each, index) => (index === fork ? 0 : each)),
  };
}

/** To the end of the line a node is on. */
export function lastOf(tree: Tree, path: Path): Path {
  const end = [...path];
  for (let from = after(tree, path); from.length > 0; from = from[0]!.next) end.push(0);
  return end;
}

/** All nodes, each before what follows it, main lines first. */
export function* nodesOf(tree: Tree, path: Path = []): Generator<Path> {
  for (const [at, { next }] of tree.entries()) {
    yield [...path, at];
    yield* nodesOf(next, [...path, at]);
  }
}

/** The number of a node among all, 0 being the start. */
export function numberOf(tree: Tree, path: Path): number {
  let number = 0;
  for (const at of path) {
    for (const each of tree.slice(0, at)) number += sizeOf(each);
    number++;
    tree = tree[at]!.next;
  }
  return number;
}

const sizeOf = ({ next }: Branch): number => next.reduce((sum, each) => sum + sizeOf(each), 1);

/** The node of a number; the start if there is none. */
export function nodeAt(tree: Tree, number: number): Path {
  let seen = 0;
  for (const path of nodesOf(tree)) if (++seen === number) return path;
  return [];
}
