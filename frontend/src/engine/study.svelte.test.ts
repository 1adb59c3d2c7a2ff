import { afterEach, expect, test, vi } from "vitest";
import { Study } from "./study.svelte.ts";

afterEach(() => vi.unstubAllGlobals());

test("a move that cannot be shown is told of", async () => {
  const error = { code: "illegal-move", message: "no such move", detail: {} };
  vi.stubGlobal("fetch", () => Promise.resolve(new Response(JSON.stringify({ error }), { status: 422 })));
  const study = new Study({ game: "quadrille" });
  await study.play("x");
  expect(study.note).not.toBe("");
  expect(study.played).toEqual([]);
});
