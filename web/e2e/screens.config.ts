// Pictures of every screen of the shell in four sizes, two themes and two languages, and an accessibility check of each.
// Needs `npm run build` before; the API is mocked, so no server runs. Look at the pictures: e2e/shots/screens/*.png.
import { defineConfig } from "@playwright/test";
import { freePort } from "./server";

// Workers read this file once more: they find the port that was chosen.
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
    // The first page is the server’s, and there is none.
    url: `http://127.0.0.1:${PORT}/login`,
    reuseExistingServer: false,
  },
});
