// A rule for our own imports: they go from a layer to those below it, and from a folder of `core/` to those before it.

import { dirname, relative, resolve } from "node:path";

const SOURCES = resolve(import.meta.dirname, "src");
const LAYERS = ["core", "engine", "games", "features", "app", "testing"];
const CORE = "async http crypto routing device i18n a11y archive tables describe ui fairness".split(" ");
const SEPARATE = ["games", "features"]; // layers whose folders do not import each other

/** The file that is imported, from `src/`; null if it is none of ours. */
function fileOf(source, importer) {
  const path = source.startsWith("$")
    ? source.slice(1)
    : source.startsWith(".")
      ? relative(SOURCES, resolve(dirname(importer), source))
      : "..";
  return path.startsWith("..") ? null : path;
}

/** What is wrong with an import, or null. */
function problemOf(source, importer) {
  const target = fileOf(source, importer);
  if (target === null) return null;
  const [from, to] = [relative(SOURCES, importer), target].map((path) => path.split("/"));
  const isTest = importer.endsWith(".test.ts");
  if (to[0] === "testing")
    return isTest || from[0] === "testing" ? null : "Only tests may import from testing/.";
  if (!LAYERS.includes(to[0])) return `There is no layer ${to[0]}/.`;
  if (LAYERS.indexOf(to[0]) > LAYERS.indexOf(from[0])) return `${from[0]}/ must not import from ${to[0]}/.`;
  const sameFolder = from[0] === to[0] && from[1] === to[1];
  if (to[0] === "games" && !sameFolder)
    return "A game is found by import.meta.glob; nothing imports its files.";
  if (SEPARATE.includes(from[0]) && from[0] === to[0] && !sameFolder)
    return `Folders of ${from[0]}/ do not import each other: move what they share to a lower layer.`;
  if (from[0] === "core" && to[0] === "core" && !isTest) {
    if (!CORE.includes(from[1])) return `Add core/${from[1]} to CORE in eslint.layers.js.`;
    if (CORE.indexOf(to[1]) > CORE.indexOf(from[1]))
      return `core/${from[1]} must not import from core/${to[1]}.`;
  }
  if (source.startsWith("../")) return `Import from another folder as "$${target}".`;
  return null;
}

export default {
  meta: { type: "problem", schema: [] },
  create(context) {
    const check = (node) => {
      if (typeof node?.value !== "string") return;
      const message = problemOf(node.value, context.filename);
      if (message) context.report({ node, message });
    };
    return {
      ImportDeclaration: ({ source }) => check(source),
      ExportNamedDeclaration: ({ source }) => check(source),
      ExportAllDeclaration: ({ source }) => check(source),
      ImportExpression: ({ source }) => check(source),
      TSImportType: ({ source }) => check(source),
      'CallExpression[callee.object.name="vi"][callee.property.name=/^(?:doM|m)ock$/]': (call) =>
        check(call.arguments[0]),
    };
  },
};
