import { afterAll, expect, test } from "vitest";
import { speak } from "$testing/components.ts";
import { t, type Language } from "./words.svelte.ts";

afterAll(() => speak("en"));

test.each<[Language, string[]]>([
  ["en", ["0 moves so far", "1 move so far", "2 moves so far"]],
  ["fr", ["0 coup joué", "1 coup joué", "2 coups joués"]],
])("a number takes the plural of the language: %s", async (language, said) => {
  await speak(language);
  expect([0, 1, 2].map((n) => t("shelf.live.moves", { n }))).toEqual(said);
});
