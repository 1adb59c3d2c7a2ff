import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import en from "./src/core/i18n/catalogue/en.json" with { type: "json" };
import fr from "./src/core/i18n/catalogue/fr.json" with { type: "json" };

/** What each game is, in a sentence: the server says it where it writes the preview of a link. */
function sentences(): Plugin {
  const of = (catalogue: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(catalogue).flatMap(([key, text]) => {
        const game = /^game\.(\w+)\.fun$/.exec(key)?.[1];
        return game ? [[game, text]] : [];
      }),
    );
  return {
    name: "sentences",
    generateBundle() {
      const source = JSON.stringify({ en: of(en), fr: of(fr) });
      this.emitFile({ type: "asset", fileName: "previews/sentences.json", source });
    },
  };
}

/** What may be said of how a game went: the server says it in the preview of a link to one that is over. */
function said(): Plugin {
  const sources = new URL("./src/", import.meta.url);
  const of = (language: string) => {
    const words = readdirSync(sources, { recursive: true, encoding: "utf-8" })
      .filter((file) => /^(games|core\/i18n\/catalogue)\//.test(file) && file.endsWith(`${language}.json`))
      .map((file) => JSON.parse(readFileSync(new URL(file, sources), "utf-8")) as Record<string, string>)
      .flatMap((catalogue) => Object.entries(catalogue));
    return Object.fromEntries(
      words.filter(([key]) => /^\w+\.(said|named|colour)\.|^seat\.number$/.test(key)),
    );
  };
  return {
    name: "said",
    generateBundle() {
      const source = JSON.stringify({ en: of("en"), fr: of("fr") });
      this.emitFile({ type: "asset", fileName: "previews/said.json", source });
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

// Imports from another folder start with its name, as "$core/http/api.ts" (also in tsconfig.json).
const FOLDERS = ["core", "engine", "features", "testing"];
const folder = (name: string) => fileURLToPath(new URL(`./src/${name}`, import.meta.url));

const TESTS = ["src/**/*.test.ts"];
// They replace modules, or prepare what a module finds when it is loaded: they need modules of their own.
const ISOLATED = ["src/**/*.isolated.test.ts"];

// `benben serve` serves what is built; `npm run dev` asks a server that is already running.
export default defineConfig(({ mode }) => ({
  plugins: [svelte(), sentences(), said(), compressed()],
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
