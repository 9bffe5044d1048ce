// Screenshots of every screen of the shell in four sizes, two themes and two languages, with accessibility checks. Requires
// `npm run build`; the API is mocked, so no server is needed. The screenshots are in e2e/shots/screens/*.png.
import { defineConfig } from "@playwright/test";
import { freePort } from "./server";

// Workers load this file again, and must use the same port.
process.env.SLOVO_SCREENS_PORT ??= String(await freePort());
const PORT = process.env.SLOVO_SCREENS_PORT;

export default defineConfig({
  testDir: ".",
  testMatch: "screens.ts",
  outputDir: "shots/failed",
  fullyParallel: true,
  workers: 2,
  reporter: process.env.SLOVO_JUNIT ? [["line"], ["junit", { outputFile: process.env.SLOVO_JUNIT }]] : [["line"]],
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    launchOptions: {
      executablePath: process.env.SLOVO_CHROMIUM ?? "/usr/bin/chromium-headless-shell",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  webServer: {
    command: `npx vite preview --host 127.0.0.1 --port ${PORT} --strictPort`,
    cwd: "..",
    // The home page is rendered by the server, which is not running.
    url: `http://127.0.0.1:${PORT}/login`,
    reuseExistingServer: false,
  },
});
