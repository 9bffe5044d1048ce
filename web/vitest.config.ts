// Logic is tested here without a server and without a browser; what needs one is in e2e/.
import { mergeConfig } from "vite";
import { defineConfig } from "vitest/config";
import viteConfig from "./vite.config.ts";

export default mergeConfig(
  viteConfig,
  defineConfig({
    test: {
      include: ["src/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"],
      environment: "happy-dom",
      // Node itself loads the rules: they read their .wasm from the disk.
      server: { deps: { external: [/wasm-pkg/] } },
      restoreMocks: true,
      unstubGlobals: true,
    },
  }),
);
