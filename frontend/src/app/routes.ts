// The pages: which component each path shows, loaded when it is first opened. The build reads this table too
// (page-files.ts), and the server what the build makes of it.

import type { Component } from "svelte";

type Page = Component<Record<string, string>>;

export interface Route {
  path: string; // parts that start with a colon are props of the page; with `?` at the end they are "" if missing
  load: () => Promise<{ default: Page }>;
  words: readonly string[]; // parts of the catalogue that the page speaks; the words of a `:game` come too
  remount: "path" | "visit"; // when the page is built anew: for another path, or for another query too
}

type NamesIn<Path extends string> = Path extends `${infer Start}/${infer Rest}`
  ? NamesIn<Start> | NamesIn<Rest>
  : Path extends `:${infer Name}?`
    ? Name
    : Path extends `:${infer Name}`
      ? Name
      : never;

/** The props that a path has: `{ game: string; id: string }` of `/puzzles/:game/:id`. */
type PropsOf<Path extends string> = Record<NamesIn<Path>, string>;

function route<Path extends string>(
  path: Path,
  load: () => Promise<{ default: Component<PropsOf<Path>> }>,
  words: Route["words"] = [],
  remount: Route["remount"] = "path",
): Route {
  return { path, load: load as unknown as Route["load"], words, remount };
}

const ROUTES: readonly Route[] = [
  route("/", () => import("$features/shelf/ShelfPage.svelte"), ["shelf"]),
  route("/new/:game", () => import("$features/shelf/NewTablePage.svelte"), ["shelf"]),
  route("/t/:id", () => import("$features/table/TablePage.svelte"), ["table"]),
  route("/rules/:game", () => import("$features/rules/RulesPage.svelte"), [], "visit"),
  route("/learn/:game", () => import("$features/learn/LearnPage.svelte"), ["learn"], "visit"),
  route("/kit/:game", () => import("$features/kit/KitPage.svelte"), ["kit"], "visit"),
  route("/analysis/:game", () => import("$features/analysis/AnalysisPage.svelte"), ["analysis"], "visit"),
  route("/review", () => import("$features/review/ReviewStartPage.svelte"), ["review"]),
  route("/review/:id", () => import("$features/review/ReviewPage.svelte"), ["review"]),
  route("/puzzles", () => import("$features/puzzles/PuzzlesPage.svelte"), ["puzzles"]),
  route("/puzzles/:game/:id", () => import("$features/puzzles/PuzzlePage.svelte"), ["puzzles"]),
  route("/games", () => import("$features/archive/ArchivePage.svelte"), ["games"]),
  route("/fairness", () => import("$features/fairness/FairnessPage.svelte"), ["luck"]),
  route("/lab/:id?", () => import("$features/lab/LabPage.svelte"), ["lab"]),
  ...(import.meta.env.DEV ? [route("/boards", () => import("./BoardsPage.svelte"))] : []),
];

export interface Match {
  route: Route | null; // null if there is no such page
  props: Record<string, string>;
}

/** The route of a path, with the props that its page takes from it. */
export function match(path: string): Match {
  for (const route of ROUTES) {
    const props = propsFrom(route.path, path);
    if (props) return { route, props };
  }
  return { route: null, props: {} };
}

/** The props in a path, or null if it does not match. */
function propsFrom(pattern: string, path: string): Record<string, string> | null {
  const [wanted, parts] = [partsOf(pattern), partsOf(path)];
  if (parts.length > wanted.length) return null;
  const props: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = parts[at] ?? "";
    if (!part.startsWith(":")) {
      if (part !== value) return null;
      continue;
    }
    if (!value && !part.endsWith("?")) return null;
    props[part.replace(/^:|\?$/g, "")] = value;
  }
  return props;
}

/** Without the slashes at both ends. */
const partsOf = (path: string) => path.replace(/^\/|\/+$/g, "").split("/");
