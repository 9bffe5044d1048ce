// One build for the browser. Development serves the application here; the API and the public pages come from the server beside it.
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import wasm from "vite-plugin-wasm";
import { publicPages } from "./scripts/dev-site.mjs";
import { withoutScripts } from "./scripts/noscript.mjs";

const SERVER = process.env.SLOVO_SERVER ?? "http://127.0.0.1:8787";

/** Those of radix-ui, and what its dialogs stand on, come with the controls that need them. */
const SHARED =
  /node_modules\/(?!@radix-ui|radix-ui|react-remove-scroll|react-style-singleton|aria-hidden|use-callback-ref|use-sidecar|get-nonce|tslib)/;

/**
 * Our own that nearly every page of the application shares. Not the controls of forms and dialogs, which many pages have, but
 * not those that people arrive at: a chunk takes along what its modules import, and so all of radix-ui.
 */
const OURS = /src\/(lib|hooks|components|api)\/(?!(sheet|checkbox|field|search-box|form-alert)\.)/;
/** What the public pages' script shares with the application, and with its islands: apart, so that it brings nothing else. */
const SITE = /preload-helper|src\/lib\/(locale-)?cookie\./;
const SITE_STATE = /src\/features\/site-islands\/(consent|typed|visit)\./;

export default defineConfig({
  plugins: [react(), tailwindcss(), wasm(), withoutScripts()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  // The rules package is linked from beside this folder; pre-bundling would lose its .wasm file.
  optimizeDeps: { exclude: ["@slovo/rules"] },
  build: {
    target: "es2023",
    // Fonts and the wasm module stay files of their own: the Content-Security-Policy allows no data: scripts or fonts.
    assetsInlineLimit: 0,
    // The server writes the public pages; it finds their script and stylesheet in here, by the names of their sources.
    manifest: true,
    // What nearly every page needs comes in few files: many small ones cost requests, and hardly shrink.
    rolldownOptions: {
      input: ["index.html", "src/site.ts", "src/styles/site.css"],
      output: {
        // Seven characters of a hash tell two builds of one file apart; every page has the names of a hundred files.
        chunkFileNames: "assets/[name]-[hash:7].js",
        codeSplitting: {
          groups: [
            { name: "site-base", test: SITE },
            { name: "site-state", test: SITE_STATE },
            { name: "libraries", test: SHARED, minShareCount: 8 },
            { name: "shared", test: OURS, minShareCount: 8 },
          ],
        },
      },
    },
  },
  // The preview serves pictures and their checks; it forbids what the server forbids, so that a breach shows there.
  preview: {
    headers: {
      "content-security-policy":
        "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; " +
        "media-src 'self' blob:; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'",
    },
  },
  server: {
    host: "127.0.0.1",
    port: 5173,
    proxy: {
      "/api": { target: SERVER, changeOrigin: false },
      "/healthz": { target: SERVER, changeOrigin: false },
      "/readyz": { target: SERVER, changeOrigin: false },
      "/": publicPages(SERVER),
    },
    fs: { allow: [".", "../wasm-pkg"] },
  },
});
