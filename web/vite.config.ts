// The build for the browser. In development the application is served here; the API and public pages are proxied to the server.
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import wasm from "vite-plugin-wasm";
import { publicPages } from "./scripts/dev-site.mjs";
import { withoutScripts } from "./scripts/noscript.mjs";

const SERVER = process.env.SLOVO_SERVER ?? "http://127.0.0.1:8787";

/**
 * Libraries for a shared chunk, except radix-ui and its dependencies, which are loaded with the controls that use them, and
 * icons, which have a chunk of their own: one that several more parts use would move, and change the sizes of both.
 */
const SHARED =
  /node_modules\/(?!@radix-ui|radix-ui|react-remove-scroll|react-style-singleton|aria-hidden|use-callback-ref|use-sidecar|get-nonce|tslib|lucide-react\/.*\/icons)/;

/**
 * Own modules for a shared chunk, used by nearly every page. Without the controls of forms and dialogs: a chunk includes the
 * imports of its modules, so all of radix-ui would be loaded on the first pages, which do not use them.
 */
const OURS =
  /src\/(lib|hooks|components|api)\/(?!(sheet|guarded-sheet|use-unsaved-guard|confirm-dialog|checkbox|field|chips|chips-input|chips-select|search-box|form-alert)\.)/;
/** Modules shared by the public pages' script, its islands and the application, in separate small chunks. */
const SITE = /preload-helper|src\/lib\/(locale-)?cookie\./;
const SITE_STATE = /src\/features\/site-islands\/(consent|form-input|visit)\./;
/**
 * Icons that several parts of the application show: a file for each would be dozens of requests for 300 bytes each. Without
 * one that only the cards of endpoints share, in a chunk of theirs: every page loads this one.
 */
const ICONS = /node_modules\/lucide-react\/.*\/icons\/(?!plug-zap\.)/;

/** Texts that are used together, in one file for each language. `files` is a pattern of their names. */
const textsTogether = (name: string, files: string) =>
  ["uk", "en"].map((language) => ({
    name: `${name}-${language}`,
    test: new RegExp(`src/locales/${language}/(${files})\\.json`),
  }));

export default defineConfig({
  plugins: [react(), tailwindcss(), wasm(), withoutScripts()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  // The rules package is linked from outside this folder; pre-bundling would lose its .wasm file.
  optimizeDeps: { exclude: ["@slovo/rules"] },
  build: {
    target: "es2023",
    // Fonts and the wasm module stay separate files, because the Content-Security-Policy forbids data: URLs for them.
    assetsInlineLimit: 0,
    // The server renders the public pages; it finds their script and stylesheet by source name in the manifest.
    manifest: true,
    // Common modules are bundled into few files: many small ones need more requests and compress badly.
    rolldownOptions: {
      input: ["index.html", "src/site.ts", "src/styles/site.css"],
      output: {
        // Seven characters of the hash are enough, and keep pages small, which contain the names of a hundred files.
        chunkFileNames: "assets/[name]-[hash:7].js",
        codeSplitting: {
          groups: [
            { name: "site-base", test: SITE },
            { name: "site-state", test: SITE_STATE },
            { name: "libraries", test: SHARED, minShareCount: 8 },
            { name: "shared", test: OURS, minShareCount: 9 },
            { name: "icons", test: ICONS, minShareCount: 2 },
            ...textsTogether("texts-admin", "admin(-\\w+)*"),
            ...textsTogether("texts-transcript", "transcript|player|history|removed|again|quality|media-facts|analysis"),
          ],
        },
      },
    },
  },
  // The preview is used for screenshots and checks, with the server's policy, so that violations are found.
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
