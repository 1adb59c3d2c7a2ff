import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import layers from "./eslint.layers.js";
import svelteConfig from "./svelte.config.js";

export default ts.config(
  js.configs.recommended,
  ts.configs.recommended,
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    rules: {
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
      // The router sees every link to a page of ours; there is no base path to resolve.
      "svelte/no-navigation-without-resolve": "off",
      // Sets and maps of ours are replaced, never changed.
      "svelte/prefer-svelte-reactivity": "off",
      // svelte-check warns where this linter's compiler does not.
      "svelte/no-unused-svelte-ignore": "off",
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    // These rules need types. They do not see the attributes of a Svelte element: its handlers must not reject.
    files: ["src/**/*.ts", "src/**/*.svelte"],
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: [".svelte"],
      },
    },
    rules: {
      "@typescript-eslint/await-thenable": "error",
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/no-misused-promises": "error",
    },
  },
  {
    files: ["src/**"],
    plugins: { benben: { rules: { layers } } },
    rules: { "benben/layers": "error" },
  },
  {
    files: ["src/**/*.test.ts"],
    ignores: ["src/**/*.isolated.test.ts"],
    rules: {
      "no-restricted-properties": [
        "error",
        ...["mock", "doMock", "resetModules"].map((property) => ({
          object: "vi",
          property,
          message: "Test files share their modules: name this one *.isolated.test.ts.",
        })),
      ],
    },
  },
  { ignores: ["src/core/http/openapi.ts", "src/core/i18n/messages.ts"] },
);
