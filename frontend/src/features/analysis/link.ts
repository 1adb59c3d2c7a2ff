// All of an analysis in the fragment of a link, as
// `#v=1&players=2&pair=bm&from=d1=bbbbbbbb,d8=mmmmmmmm_b0m0_b_0&moves=d1*1,d8*1(d8*2,d1*1),d1*3&at=3`.
// A variation stands in brackets after the move it replaces, as people write it; `at` is the number of a node.

import type { Options } from "$core/http/types.ts";
import { nodeAt, numberOf, type Branch, type Place, type Tree } from "./tree.ts";

export interface Linked extends Place {
  options: Options; // players and what else was chosen
  from: string; // the start, in text
}

export class BadLink extends Error {}

const VERSION = "1";
const LONGEST = 12_000; // signs of a fragment
const MOST = 1000; // nodes
const MOVE = /^[A-Za-z0-9@*+=]{1,40}$/;
const NAME = /^[a-z]{1,20}$/;
const VALUE = /^[a-z0-9]{1,20}$/;
const OWN = new Set(["v", "from", "moves", "at"]);

export function written({ options, from, tree, path }: Linked): string {
  const parts = [["v", VERSION], ...Object.entries(options).map(([name, value]) => [name, String(value)])];
  parts.push(["from", from.replaceAll(" ", "_").replaceAll("|", "!")]);
  if (tree.length > 0) parts.push(["moves", treeText(tree)]);
  if (path.length > 0) parts.push(["at", String(numberOf(tree, path))]);
  return parts.map(([name, value]) => `${name}=${value}`).join("&");
}

/** The analysis in a fragment without its `#`; BadLink if none was written here. */
export function read(fragment: string): Linked {
  if (fragment.length > LONGEST) throw new BadLink("too long");
  const parts = new Map<string, string>();
  for (const part of decoded(fragment).split("&")) {
    const [, name, value] = /^([a-z]+)=(.*)$/s.exec(part) ?? [];
    if (name === undefined || parts.has(name)) throw new BadLink(part);
    parts.set(name, value!);
  }
  if (parts.get("v") !== VERSION) throw new BadLink("version");
  const options: Options = {};
  for (const [name, value] of parts) {
    if (OWN.has(name)) continue;
    if (!NAME.test(name) || !VALUE.test(value)) throw new BadLink(name);
    options[name] = /^\d+$/.test(value) ? Number(value) : value;
  }
  const from = (parts.get("from") ?? "").replaceAll("_", " ").replaceAll("!", "|");
  if (!from) throw new BadLink("from");
  const tree = treeOf(parts.get("moves") ?? "");
  const at = parts.get("at") ?? "0";
  if (!/^\d{1,5}$/.test(at)) throw new BadLink("at");
  return { options, from, tree, path: nodeAt(tree, Number(at)) };
}

/** Some programs write `%7C` and the like for what needs it not. */
function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    throw new BadLink("encoding");
  }
}

function treeText(tree: Tree): string {
  const parts: string[] = [];
  for (let from = tree; from.length > 0; from = from[0]!.next) {
    const [main, ...others] = from;
    parts.push(main!.move + others.map((each) => `(${treeText([each])})`).join(""));
  }
  return parts.join(",");
}

interface Growing extends Branch {
  next: Growing[];
}

function treeOf(text: string): Tree {
  const root: Growing[] = [];
  let nodes = 0;
  let from = root; // where the next move goes
  const left: Growing[][] = []; // where to go on after a bracket
  let beside = root; // what an alternative to the last move goes to
  const signs = text.match(/[^,()]+|[,()]/g) ?? [];
  let wanted = true; // a move comes next
  for (const sign of signs) {
    if (sign === "(") {
      if (wanted || beside.length === 0) throw new BadLink(text);
      left.push(from, beside);
      from = beside;
      wanted = true;
    } else if (sign === ")") {
      if (wanted || left.length === 0) throw new BadLink(text);
      beside = left.pop()!;
      from = left.pop()!;
    } else if (sign === ",") {
      if (wanted) throw new BadLink(text);
      wanted = true;
    } else {
      if (!wanted || !MOVE.test(sign) || ++nodes > MOST) throw new BadLink(sign);
      if (from.some(({ move }) => move === sign)) throw new BadLink(sign);
      const node: Growing = { move: sign, next: [] };
      from.push(node);
      beside = from;
      from = node.next;
      wanted = false;
    }
  }
  if (left.length > 0 || (wanted && text !== "")) throw new BadLink(text);
  return root;
}
