// Logic is tested here without a server and without a browser; what needs one is in e2e/.
import { mergeConfig } from "vite";
import { defineConfig } from "vitest/config";
import viteConfig from "./vite.config.ts";

const EVERY = ["src/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"];

/**
 * Each of these gets a process of its own: they stand on streams of Node that a shared process does not hand on, or on
 * texts that are not loaded yet.
 */
const APART = [
  "src/api/auth.test.ts",
  "src/features/admin/users/users-page.test.tsx",
  "src/features/settings/*.test.tsx",
  "src/features/transcript/use-live-job.test.tsx",
  "src/features/transcript/assistant/*.test.ts",
];

export default mergeConfig(
  viteConfig,
  defineConfig({
    test: {
      environment: "happy-dom",
      // Node itself loads the rules: they read their .wasm from the disk.
      server: { deps: { external: [/wasm-pkg/] } },
      restoreMocks: true,
      unstubGlobals: true,
      projects: [
        // Files share a process, each with globals of its own: loading the browser's stand-in anew for each took most of the time.
        { extends: true, test: { name: "together", pool: "vmThreads", include: EVERY, exclude: APART } },
        { extends: true, test: { name: "apart", pool: "forks", include: APART } },
      ],
    },
  }),
);
