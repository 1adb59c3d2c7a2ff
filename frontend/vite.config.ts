import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// `benben serve` serves what is built; `npm run dev` asks a server that is already running.
export default defineConfig(({ mode }) => ({
  plugins: [svelte()],
  resolve: mode === "test" ? { conditions: ["browser"] } : {},
  build: {
    outDir: "../src/benben/web/static",
    emptyOutDir: true,
    assetsInlineLimit: 0, // the content security policy allows no data: of ours
    reportCompressedSize: false,
    target: "es2022",
  },
  server: { proxy: { "/api": "http://127.0.0.1:8000" } },
}));
