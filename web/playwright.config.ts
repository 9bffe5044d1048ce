// A real browser with the real server and the built page: `npm run e2e`. See e2e/README.md.
import { defineConfig } from "@playwright/test";

/** Full Chromium: the headless shell supports neither microphones nor tab capture. */
export const WINDOWED = process.env.SLOVO_CHROMIUM ?? "/usr/bin/chromium";
const PICTURES = ["**/upload-screens.spec.ts", "**/editor-screens.spec.ts", "**/landing-picture.spec.ts"];
/** Screenshots of every state for review: `cargo xtask test pictures`. */
const ignored = process.env.SLOVO_PICTURES ? [] : PICTURES;

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  projects: [
    // Tests that mock the server: without recognition, any number can run in parallel.
    { name: "pages", testMatch: "pages/**/*.spec.ts", testIgnore: ignored },
    // Each worker has its own server.
    { name: "server", testMatch: "*.spec.ts", testIgnore: ["pages/**", ...ignored] },
  ],
  // Generous timeouts, because recognition is slow and machines differ.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  // More than the cores of a small machine, because browsers wait for the server, for sound and for animations.
  workers: 3,
  // A test that passes only on retry hides a defect.
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.SLOVO_JUNIT ? [["list"], ["junit", { outputFile: process.env.SLOVO_JUNIT }]] : [["list"]],
  use: {
    locale: "uk-UA",
    viewport: { width: 1280, height: 800 },
    acceptDownloads: true,
    // A control that stays disabled fails at its own line, not by the timeout of the whole test.
    actionTimeout: 60_000,
    // Actions, requests and logs of failed tests. Screenshots and DOM snapshots of every step took a third of the time of all
    // tests; use `--trace on` for a single test. CI does not keep traces.
    trace: { mode: process.env.CI ? "off" : "retain-on-failure", snapshots: false, screenshots: false },
    screenshot: "only-on-failure",
    launchOptions: {
      // The headless shell, because browser windows took a fifth of the time.
      executablePath: process.env.SLOVO_CHROMIUM ?? "/usr/bin/chromium-headless-shell",
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--autoplay-policy=no-user-gesture-required",
      ],
    },
  },
});
