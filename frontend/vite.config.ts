import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { catalogues, compile, languageOf, messages } from "./messages.js";
import { pageFiles } from "./page-files.ts";

/** What the server says in the preview of a link: what each game is, and how one that is over went. */
const OF_PREVIEWS = /^(\w+\.(said|named|colour)\.|seat\.number$|game\.\w+\.fun$)/;

function previews(): Plugin {
  return {
    name: "previews",
    generateBundle() {
      const texts: Record<string, Record<string, unknown>> = {};
      for (const [file, catalogue] of catalogues())
        for (const [key, text] of Object.entries(catalogue))
          if (OF_PREVIEWS.test(key)) (texts[languageOf(file)] ??= {})[key] = compile(text);
      this.emitFile({ type: "asset", fileName: "previews/texts.json", source: JSON.stringify(texts) });
    },
  };
}

/** Brotli and gzip forms of text files, beside them: the server sends what a browser accepts. */
function compressed(): Plugin {
  const TEXT = /\.(?:css|js|json|svg|webmanifest)$/;
  const MODE = { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
  return {
    name: "compressed",
    apply: "build",
    writeBundle({ dir = "" }) {
      for (const file of readdirSync(dir, { recursive: true, encoding: "utf-8" })) {
        if (!TEXT.test(file)) continue;
        const plain = readFileSync(`${dir}/${file}`);
        const forms = { br: brotliCompressSync(plain, { params: MODE }), gz: gzipSync(plain, { level: 9 }) };
        for (const [ending, packed] of Object.entries(forms)) {
          if (packed.length < plain.length) writeFileSync(`${dir}/${file}.${ending}`, packed);
        }
      }
    },
  };
}

// What at least so many pages and boards import comes in one file: fewer requests, and it compresses better.
const SHARED = {
  name: "shared",
  test: /\/src\/(app|core|engine)\/|\/node_modules\/svelte\//,
  minShareCount: 9,
};

// Imports from another folder start with its name, as "$core/http/api.ts" (also in tsconfig.json).
const FOLDERS = ["core", "engine", "features", "testing"];
const folder = (name: string) => fileURLToPath(new URL(`./src/${name}`, import.meta.url));

const TESTS = ["src/**/*.test.ts"];
// They replace modules, or prepare what a module finds when it is loaded: they need modules of their own.
const ISOLATED = ["src/**/*.isolated.test.ts"];

// `benben serve` serves what is built; `npm run dev` asks a server that is already running.
export default defineConfig(({ mode }) => ({
  plugins: [messages(), svelte(), previews(), pageFiles(), compressed()],
  resolve: {
    alias: Object.fromEntries(FOLDERS.map((name) => [`$${name}`, folder(name)])),
    ...(mode === "test" ? { conditions: ["browser"] } : {}),
  },
  build: {
    outDir: "../src/benben/web/static",
    emptyOutDir: true,
    assetsInlineLimit: 0, // the content security policy allows no data: of ours
    reportCompressedSize: false,
    target: "es2022",
    rolldownOptions: {
      output: { codeSplitting: { groups: [SHARED], includeDependenciesRecursively: false } },
    },
  },
  server: { proxy: { "/api": process.env.BENBEN_API ?? "http://127.0.0.1:8000" } },
  // A page and its modules take longer to set up than most tests take: the files of a worker share them.
  test: {
    environment: "happy-dom",
    pool: "threads",
    testTimeout: 20_000, // for busy machines: what is awaited usually comes within milliseconds
    expect: { poll: { timeout: 10_000 } },
    coverage: {
      include: ["src/**/*.{ts,svelte}"],
      exclude: [...TESTS, "src/testing/**", "src/core/http/openapi.ts"],
      reporter: "text-summary",
      reportsDirectory: "node_modules/.coverage",
    },
    projects: [
      {
        extends: true,
        test: {
          name: "shared",
          include: TESTS,
          exclude: ISOLATED,
          isolate: false,
          setupFiles: "src/testing/setup.ts",
        },
      },
      { extends: true, test: { name: "isolated", include: ISOLATED } },
    ],
  },
}));
