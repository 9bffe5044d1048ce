// Pictures of every screen of the shell in four sizes, two themes and two languages, and an accessibility check of each.
// Needs `npm run build` before; the API is mocked, so no server runs. Look at the pictures: e2e/shots/screens/*.png.
import { defineConfig } from "@playwright/test";

const PORT = 4174;

export default defineConfig({
  testDir: ".",
  testMatch: "screens.ts",
  outputDir: "shots/failed",
  fullyParallel: true,
  workers: 2,
  reporter: [["line"]],
  use: {
    baseURL: `http://127.0.0.1:${PORT}`,
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--headless",
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
    url: `http://127.0.0.1:${PORT}`,
    reuseExistingServer: true,
  },
});
