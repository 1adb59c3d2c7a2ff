// Writes the catalogues of a language that nobody speaks, `en-XA`: English with accents, a third longer, in brackets.
// A text without accents was not translated; one without its last bracket is cut off.
//
// `node pseudo.js` adds it to the sources, from where `npm run dev` and builds take it as any other language;
// `node pseudo.js --remove` takes it away again. A test of browsers does so in a copy.

import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { argv } from "node:process";
import { parse, TYPE } from "@formatjs/icu-messageformat-parser";
import { printAST } from "@formatjs/icu-messageformat-parser/printer.js";
import { catalogues, languageOf } from "./messages.js";

const LANGUAGE = "en-XA";
const LETTERS = {
  a: "áá",
  e: "éé",
  i: "îî",
  o: "öö",
  u: "ûû",
  A: "ÁÁ",
  E: "ÉÉ",
  I: "ÎÎ",
  O: "ÖÖ",
  U: "ÛÛ",
  c: "ç",
  n: "ñ",
};

const accented = (text) => text.replace(/[aeioucnAEIOU]/g, (letter) => LETTERS[letter]);

function changed(element) {
  if (element.type === TYPE.literal) return { ...element, value: accented(element.value) };
  if (!element.options) return element;
  const options = Object.entries(element.options).map(([key, { value }]) => [
    key,
    { value: value.map(changed) },
  ]);
  return { ...element, options: Object.fromEntries(options) };
}

const pseudo = (text) => `[${printAST(parse(text, { ignoreTag: true }).map(changed))}]`;

for (const [file, texts] of catalogues()) {
  if (languageOf(file) !== "en") continue;
  const target = join(dirname(file), `${LANGUAGE}.json`);
  const entries = Object.entries(texts).map(([key, text]) => [key, pseudo(text)]);
  if (argv.includes("--remove")) rmSync(target, { force: true });
  else writeFileSync(target, JSON.stringify(Object.fromEntries(entries), null, 2) + "\n");
}
