// A real browser against the real server with the built page: `npm run e2e`. See e2e/README.md.
import { defineConfig } from "@playwright/test";

/** Chromium with its windows: without them it has no microphone and no tab to record. */
export const WINDOWED = process.env.SLOVO_CHROMIUM ?? "/usr/bin/chromium";
const PICTURES = ["**/upload-screens.spec.ts", "**/editor-screens.spec.ts", "**/landing-picture.spec.ts"];
/** Pictures for people to look at, of every state: `cargo xtask test pictures`. */
const ignored = process.env.SLOVO_PICTURES ? [] : PICTURES;

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  projects: [
    // The test answers for the server: nothing is recognised, and any number of them can run side by side.
    { name: "pages", testMatch: "pages/**/*.spec.ts", testIgnore: ignored },
    // Each worker has a server of its own.
    { name: "server", testMatch: "*.spec.ts", testIgnore: ["pages/**", ...ignored] },
  ],
  // Recognition takes its time, and machines differ: these only end what hangs.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  // One more than there are cores on a small machine: a browser waits for its server, for sound and for animations.
  workers: 3,
  // A test that passes only on retry hides a defect.
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: process.env.SLOVO_JUNIT ? [["list"], ["junit", { outputFile: process.env.SLOVO_JUNIT }]] : [["list"]],
  use: {
    locale: "uk-UA",
    viewport: { width: 1280, height: 800 },
    acceptDownloads: true,
    // A control that stays closed is told by its own line, not by the end of the whole test.
    actionTimeout: 60_000,
    // What was done, asked and logged, kept of a test that fails. Pictures and copies of the page at every step took a third
    // of the time of all tests: `--trace on` has them for the test that is being looked into. CI throws its files away.
    trace: { mode: process.env.CI ? "off" : "retain-on-failure", snapshots: false, screenshots: false },
    screenshot: "only-on-failure",
    launchOptions: {
      // The headless shell of Chromium: browser windows, which are not needed, took a fifth of the time.
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
