import { Linter } from "eslint";
import { resolve } from "node:path";
import ts from "typescript-eslint";
import { describe, expect, it } from "vitest";
// @ts-expect-error: it is part of a configuration, without types
import layers from "../../eslint.layers.js";

/** What the linter says of a file with these lines. */
function problems(path: string, code: string): string[] {
  const filename = resolve(import.meta.dirname, "..", path);
  const config = {
    files: ["**"],
    languageOptions: { parser: ts.parser as Linter.Parser },
    plugins: { benben: { rules: { layers } } },
    rules: { "benben/layers": "error" },
  } satisfies Linter.Config;
  return new Linter().verify(code, [config], { filename }).map(({ message }) => message);
}

describe("imports", () => {
  it.each([
    ["core/ui/x.ts", 'import "$core/i18n/words.svelte.ts"; import "./clipboard.ts";'],
    ["engine/x.ts", 'import.meta.glob("../games/*/x.ts"); import "./kit/kit.ts";'],
    ["games/objectif/x.ts", 'import "$engine/contract.ts"; import "./facts.ts";'],
    ["features/table/x.ts", 'import "$engine/contract.ts"; import("./Lobby.svelte");'],
    ["app/x.ts", 'import("$features/table/TablePage.svelte");'],
    ["core/ui/x.test.ts", 'import "$testing/components.ts";'],
  ])("may be like this in %s", (path, code) => {
    expect(problems(path, code)).toEqual([]);
  });

  it.each([
    ["core/ui/x.ts", 'import "$engine/contract.ts"', "core/ must not import from engine/."],
    ["core/http/x.ts", 'export * from "$core/ui/x.ts"', "core/http must not import from core/ui."],
    ["engine/x.ts", 'import("$features/table/Lobby.svelte")', "engine/ must not import from features/."],
    ["features/lab/x.ts", 'import "$features/table/notices.ts"', /do not import each other/],
    ["features/lab/x.ts", 'import "../table/notices.ts"', /do not import each other/],
    ["features/lab/x.ts", 'import "../../games/objectif/facts.ts"', /found by import.meta.glob/],
    ["features/lab/x.ts", 'type X = import("../../app/App.svelte")', "features/ must not import from app/."],
    ["features/lab/x.ts", 'import "$testing/table.ts"', "Only tests may import from testing/."],
    ["games/objectif/x.ts", 'import "../quadrille/glaze.ts"', /found by import.meta.glob/],
    ["core/ui/x.ts", 'import "../i18n/words.svelte.ts"', /Import .* as "\$core\/i18n\/words.svelte.ts"/],
    ["core/ui/x.test.ts", 'vi.mock("$features/table/notices.ts")', "core/ must not import from features/."],
  ])("are refused in %s: %s", (path, code, message) => {
    expect(problems(path, code)).toEqual([expect.stringMatching(message)]);
  });
});
