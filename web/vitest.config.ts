// Unit tests without a server and a browser; tests that need them are in e2e/.
import { mergeConfig } from "vite";
import { defineConfig } from "vitest/config";
import viteConfig from "./vite.config.ts";

const EVERY = ["src/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"];

/**
 * These run in separate processes: they need Node streams that are not available in VM contexts, or a state in which texts
 * are not loaded yet.
 */
const APART = [
  "src/api/auth.test.ts",
  "src/features/admin/users/users-page.test.tsx",
  "src/features/settings/*.test.tsx",
  "src/hooks/use-engine-text.test.tsx",
  "src/features/transcript/use-live-job.test.tsx",
  "src/features/transcript/assistant/*.test.ts",
];

export default mergeConfig(
  viteConfig,
  defineConfig({
    test: {
      environment: "happy-dom",
      // The rules are loaded by Node itself, because they read their .wasm file from disk.
      server: { deps: { external: [/wasm-pkg/] } },
      restoreMocks: true,
      unstubGlobals: true,
      projects: [
        // Files share a process with separate globals: loading happy-dom for each file took most of the time.
        { extends: true, test: { name: "together", pool: "vmThreads", include: EVERY, exclude: APART } },
        { extends: true, test: { name: "apart", pool: "forks", include: APART } },
      ],
    },
  }),
);
