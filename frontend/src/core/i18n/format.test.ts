import { describe, expect, it } from "vitest";
import { compile, parametersOf } from "../../../messages.js";
import { format, type Values } from "./format.ts";

function say(language: string, text: string, values: Values): string {
  const rules = { number: new Intl.NumberFormat(language), plural: new Intl.PluralRules(language) };
  return format(compile(text), values, rules);
}

describe("plurals", () => {
  it.each([
    ["en", ["0 moves", "1 move", "2 moves"]],
    ["fr", ["0 move", "1 move", "2 moves"]],
  ] as const)("are those of the language: %s", (language, expected) => {
    const text = "{n, plural, one {# move} other {# moves}}";
    expect([0, 1, 2].map((n) => say(language, text, { n }))).toEqual(expected);
  });

  it("have as many forms as a language has", () => {
    const forms = ["zero", "one", "two", "few", "many", "other"];
    const text = `{n, plural, ${forms.map((each) => `${each} {${each}}`).join(" ")}}`;
    expect([0, 1, 2, 3, 11, 100].map((n) => say("ar", text, { n }))).toEqual(forms);
  });

  it("may be of one number only, and write numbers as the language does", () => {
    const text = "{n, plural, =1 {here: {name}} other {at # tables}}";
    expect(say("en", text, { n: 1, name: "Ann" })).toBe("here: Ann");
    expect(say("en", text, { n: 1200, name: "Ann" })).toBe("at 1,200 tables");
    expect(say("en", "{n, plural, one {#} other {#}} of {n}", { n: 1200 })).toBe("1,200 of 1,200");
  });
});

describe("selections", () => {
  it("take a value, or what fits all others", () => {
    const text = "objectif : {of, select, goal {bleu} other {bleue}}";
    expect(say("fr", text, { of: "goal" })).toBe("objectif : bleu");
    expect(say("fr", text, {})).toBe("objectif : bleue");
  });

  it.each([
    ["Objectif", "Règles d’Objectif"],
    ["Éléonore", "Règles d’Éléonore"],
    ["Hélène", "Règles d’Hélène"],
    ["Yves", "Règles d’Yves"],
    ["Yann", "Règles de Yann"],
    ["Quadrille", "Règles de Quadrille"],
    ["Bâtisseurs", "Règles de Bâtisseurs"],
    ["", "Règles de "],
  ])("shorten a word before a vowel: %s", (game, expected) => {
    expect(say("fr", "Règles {game, select, vowel {d’} other {de }}{game}", { game })).toBe(expected);
  });

  it("stand in each other", () => {
    const text = "{n, plural, one {{of, select, goal {un} other {une}}} other {#}}";
    expect([1, 2].map((n) => say("fr", text, { n, of: "goal" }))).toEqual(["un", "2"]);
  });
});

it("leaves a hole without a value as it is, and puts no value into another", () => {
  expect(say("en", "{name}: {n}", { name: "{n}" })).toBe("{n}: {n}");
});

it.each(["{n, plural, one {#}}", "{name", "{at, date, short}", "{n, selectordinal, other {#}}", "a } b"])(
  "refuses what the pages cannot say: %s",
  (text) => expect(() => compile(text)).toThrow(),
);

it("knows the parameters of a text", () => {
  const text = "{n, plural, one {{name}} other {# of {all}}} {of, select, other {}}";
  expect(Object.fromEntries(parametersOf(text))).toEqual({
    n: "number",
    name: "string | number",
    all: "string | number",
    of: "string",
  });
});
