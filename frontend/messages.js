// Catalogues of texts: read, checked, and made smaller. A text is an ICU message, as translators' tools know them:
// "{name} took a hint.", "{n, plural, one {# move} other {# moves}}", "{game, select, vowel {d’} other {de }}{game}".
//
// `node messages.js` writes the types of all keys and their parameters to src/core/i18n/messages.ts.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { parse, TYPE } from "@formatjs/icu-messageformat-parser";

const SOURCES = join(import.meta.dirname, "src/");
const TYPES = join(SOURCES, "core/i18n/messages.ts");

/** Whether a file is a catalogue: of all pages, of some, or of a game. */
export function isCatalogue(file) {
  const path = relative(SOURCES, file).split(sep).join("/");
  return /^(core\/i18n\/catalogue\/(parts\/[^/]+\/)?|games\/[^/]+\/words\/)[\w-]+\.json$/.test(path);
}

/** All catalogues, by their files. */
export function catalogues() {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf-8" }).map((file) => SOURCES + file);
  return new Map(
    files
      .filter(isCatalogue)
      .sort()
      .map((file) => [file, JSON.parse(readFileSync(file, "utf-8"))]),
  );
}

export const languageOf = (file) => basename(file, ".json");

/**
 * A message as pages take it: a text with holes, or a list of texts and choices. A choice is a parameter and what it
 * chooses from, by plural category, `=number` or value (see `format.ts`).
 */
export function compile(text) {
  return compact(parse(text, { ignoreTag: true, requiresOtherClause: true }));
}

function compact(elements, counted = "") {
  const parts = [];
  const add = (text) => {
    if (typeof parts.at(-1) === "string") parts.push(parts.pop() + text);
    else parts.push(text);
  };
  for (const element of elements) {
    if (element.type === TYPE.literal && !/[{}]/.test(element.value)) add(element.value);
    else if (element.type === TYPE.argument) add(`{${element.value}}`);
    else if (element.type === TYPE.pound) add(`{${counted}}`);
    else if (element.type === TYPE.select || isPlural(element)) {
      const own = isPlural(element) ? element.value : counted;
      const options = Object.entries(element.options).map(([key, { value }]) => [key, compact(value, own)]);
      parts.push([element.value, Object.fromEntries(options)]);
    } else throw new SyntaxError(`a text has only holes, plurals and selections: ${JSON.stringify(element)}`);
  }
  return parts.length > 1 || Array.isArray(parts[0]) ? parts : (parts[0] ?? "");
}

const isPlural = ({ type, pluralType, offset }) =>
  type === TYPE.plural && pluralType === "cardinal" && offset === 0;

/** The parameters of a message: which of them must be numbers. */
export function parametersOf(text) {
  const found = new Map();
  const look = (elements) => {
    for (const { type, value, options } of elements) {
      if (type === TYPE.plural) found.set(value, "number");
      else if (type === TYPE.argument || type === TYPE.select)
        found.set(value, found.get(value) ?? (type === TYPE.select ? "string" : "string | number"));
      for (const each of Object.values(options ?? {})) look(each.value);
    }
  };
  look(parse(text, { ignoreTag: true, requiresOtherClause: true }));
  return found;
}

/**
 * The types of all keys. What only another language than English takes, as French a gender, may be left out.
 */
export function typesOf(all) {
  const messages = new Map();
  const files = [...all].sort(([one], [other]) => rank(one) - rank(other));
  for (const [file, texts] of files) {
    for (const [key, text] of Object.entries(texts)) {
      const parameters = messages.get(key) ?? new Map();
      messages.set(key, parameters);
      for (const [name, type] of parametersOf(text)) {
        const known = parameters.get(name);
        const optional = known ? known.optional : languageOf(file) !== "en";
        parameters.set(name, { type: narrower(known?.type, type), optional });
      }
    }
  }
  const lines = [...messages].sort(([one], [other]) => (one < other ? -1 : 1)).map(lineOf);
  return `// Made by \`npm run messages\` from the catalogues: do not edit.\n\n/** The parameters of each text. */\nexport interface Messages {\n${lines.join("")}}\n`;
}

const rank = (file) => (languageOf(file) === "en" ? 0 : 1);
const narrower = (one, other) => [one, other].find((type) => type && type !== "string | number") ?? other;

function lineOf([key, parameters]) {
  const fields = [...parameters].map(
    ([name, { type, optional }]) => `${name}${optional ? "?" : ""}: ${type}`,
  );
  return `  "${key}": ${fields.length ? `{ ${fields.join("; ")} }` : "null"};\n`;
}

/** A Vite plugin: catalogues are bundled as they are used, not as they are written. */
export function messages() {
  return {
    name: "messages",
    enforce: "pre",
    transform(code, id) {
      const [file] = id.split("?");
      if (!isCatalogue(file)) return null;
      const compiled = Object.entries(JSON.parse(code)).map(([key, text]) => [key, compile(text)]);
      return { code: JSON.stringify(Object.fromEntries(compiled)), map: null };
    },
  };
}

if (process.argv[1] === import.meta.filename) writeFileSync(TYPES, typesOf(catalogues()));
