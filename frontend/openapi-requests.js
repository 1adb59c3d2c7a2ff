// Drops the defaults of what only requests have, from the OpenAPI document on stdin: such a field may be left out, and
// openapi-typescript takes any field with a default as always there, which is true of answers.

import { stdin, stdout } from "node:process";
import { text } from "node:stream/consumers";

const document = JSON.parse(await text(stdin));
const { schemas } = document.components;

/** The names of all schemas that parts of the document refer to. */
function reached(parts) {
  const names = new Set();
  const look = (part) => {
    for (const [, name] of JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      if (!names.has(name)) {
        names.add(name);
        look(schemas[name]);
      }
  };
  look(parts);
  return names;
}

const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
const answered = reached(operations.map(({ responses }) => responses));
for (const name of reached(operations.map(({ requestBody }) => requestBody)))
  if (!answered.has(name))
    for (const field of Object.values(schemas[name].properties ?? {})) delete field.default;

stdout.write(JSON.stringify(document));
