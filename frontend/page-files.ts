// Which files each page needs: `pages.json`, by which the server knows the paths of the pages and tells browsers what
// to load, before any script has run.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin, Rolldown } from "vite";

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));
const ROUTES = source("app/routes.ts");
const ENTRY = source("app/main.ts");
const BOARD_HOST = source("engine/BoardHost.svelte");
const ROUTE = /\broute\(\s*"([^"]+)",\s*\(\) => import\("\$([^"]+)"\)(?:,\s*\[([^\]]*)\])?/g;
const BOARD = /\/src\/games\/([\w-]+)\/Board\.svelte$/;
const WORDS = /\/src\/(?:games\/([\w-]+)\/words|core\/i18n\/catalogue(?:\/parts\/(\w+))?)\/(\w+)\.json$/;

interface Page {
  path: string;
  files: string[];
  words: string[]; // parts of the catalogue, besides the common words and those of its game
  board: boolean; // it shows the board of its game
}

/** What `src/benben/web/built_pages.py` reads. Files of the entry are in the document and nowhere here. */
interface Pages {
  pages: Page[];
  boards: Record<string, string[]>; // by game
  words: Record<string, Record<string, string[]>>; // by game or part of the catalogue, "" is common, and language
}

export function pageFiles(): Plugin {
  return {
    name: "page-files",
    apply: "build",
    generateBundle: {
      order: "post", // style sheets are known
      handler(_, bundle) {
        this.emitFile({ type: "asset", fileName: "pages.json", source: JSON.stringify(pagesOf(bundle)) });
      },
    },
  };
}

/** The pages in the one table of routes, with the modules that they show; not those of development. */
function routes(): { path: string; module: string; words: string[] }[] {
  const found = [...readFileSync(ROUTES, "utf-8").matchAll(ROUTE)];
  if (found.length < 2) throw new Error(`${ROUTES} has no routes`);
  return found.map(([, path, module, words = ""]) => ({
    path: path!,
    module: source(module!),
    words: words.match(/\w+/g) ?? [],
  }));
}

function pagesOf(bundle: Rolldown.OutputBundle): Pages {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const chunkOf = (module: string) => chunks.find(({ moduleIds }) => moduleIds.includes(module))!;
  const inDocument = new Set(closure(bundle, chunkOf(ENTRY)).flatMap(filesOf));
  const filesFor = (chunk: Rolldown.OutputChunk) =>
    closure(bundle, chunk)
      .flatMap(filesOf)
      .filter((file) => !inDocument.has(file));

  const found: Pages = { pages: [], boards: {}, words: {} };
  for (const { path, module, words } of routes()) {
    const chunk = chunkOf(module);
    const board = closure(bundle, chunk).some(({ moduleIds }) => moduleIds.includes(BOARD_HOST));
    found.pages.push({ path, files: filesFor(chunk), words, board });
  }
  for (const chunk of chunks) {
    for (const module of chunk.moduleIds) {
      const [, board] = BOARD.exec(module) ?? [];
      if (board) found.boards[board] = filesFor(chunk);
      const [, game, part, language] = WORDS.exec(module) ?? [];
      if (language) (found.words[game ?? part ?? ""] ??= {})[language] = filesFor(chunk);
    }
  }
  return found;
}

/** A chunk and what it imports at once, in the order in which it is evaluated. */
function closure(bundle: Rolldown.OutputBundle, start: Rolldown.OutputChunk): Rolldown.OutputChunk[] {
  const found = new Set<Rolldown.OutputChunk>();
  const add = (chunk: Rolldown.OutputBundle[string] | undefined) => {
    if (chunk?.type !== "chunk" || found.has(chunk)) return;
    found.add(chunk);
    for (const file of chunk.imports) add(bundle[file]);
  };
  add(start);
  return [...found];
}

const filesOf = (chunk: Rolldown.OutputChunk) => [chunk.fileName, ...(chunk.viteMetadata?.importedCss ?? [])];
