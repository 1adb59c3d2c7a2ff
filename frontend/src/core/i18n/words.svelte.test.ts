import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { speak } from "$testing/components.ts";
import { catalogues, typesOf } from "../../../messages.js";
import { LANGUAGES, lookUp, nameOf, t, words } from "./words.svelte.ts";

afterAll(() => speak("en"));

test.each([
  ["en", ["0 moves so far", "1 move so far", "2 moves so far"]],
  ["fr", ["0 coup joué", "1 coup joué", "2 coups joués"]],
])("a number takes the plural of the language: %s", async (language, said) => {
  await speak(language);
  expect([0, 1, 2].map((n) => t("shelf.live.moves", { n }))).toEqual(said);
});

test("languages are those of the catalogues, by their own names", () => {
  expect(LANGUAGES.map(nameOf)).toEqual(["English", "Français"]);
});

test("an unknown language of the settings is that of the browser", async () => {
  await speak("xx");
  expect([words.language, words.textLanguage, document.documentElement.lang]).toEqual(["en", "en", "en"]);
});

test("keys and parameters are checked by the compiler", () => {
  // @ts-expect-error there is no such key
  expect(t("no.such.key")).toBe("no.such.key");
  // @ts-expect-error a parameter is missing
  expect(t("chat.mute")).toBe("Mute {name}");
  // @ts-expect-error this one has another name
  expect(t("chat.mute", { who: "Ann" })).toBe("Mute {name}");
  // @ts-expect-error it has none
  expect(t("cancel", { name: "Ann" })).toBe("Cancel");
  // @ts-expect-error one too many
  expect(t("chat.mute", { name: "Ann", n: 1 })).toBe("Mute Ann");
  // @ts-expect-error only numbers have plurals
  expect(t("shelf.live.moves", { n: "1" })).toContain("1");
  expect(lookUp("quadrille.refusal.no-such-rule")).toBeUndefined();
});

test("the types of keys are those of the catalogues: else run `npm run messages`", () => {
  const written = readFileSync(`${import.meta.dirname}/messages.ts`, "utf-8");
  expect(written).toBe(typesOf(catalogues()));
});
