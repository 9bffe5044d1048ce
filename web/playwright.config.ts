// A real browser against the real server with the built page: `npm run e2e`. See e2e/README.md.
import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: "e2e",
  testMatch: "*.spec.ts",
  // Pictures for people to look at, of every state: SLOVO_PICTURES=1 npm run e2e upload-screens
  testIgnore: process.env.SLOVO_PICTURES ? [] : ["upload-screens.spec.ts", "editor-screens.spec.ts"],
  outputDir: "test-results",
  // Recognition takes its time, and machines differ: these only end what hangs.
  timeout: 240_000,
  expect: { timeout: 30_000 },
  // One server and two cores: tests that run side by side would wait for each other's recognition.
  workers: 1,
  // Two cores draw, recognise and serve at once. What passes alone, on a server of its own, was a race of the machine: the
  // report names it as flaky, and the suite's last line counts it.
  retries: 1,
  forbidOnly: Boolean(process.env.CI),
  reporter: [["list"]],
  use: {
    locale: "uk-UA",
    viewport: { width: 1280, height: 800 },
    acceptDownloads: true,
    // A control that stays closed is told by its own line, not by the end of the whole test.
    actionTimeout: 60_000,
    // What was done, asked and logged, kept of a test that fails. Pictures and copies of the page at every step took a third
    // of the time of all tests: `--trace on` has them for the test that is being looked into.
    trace: { mode: "retain-on-failure", snapshots: false, screenshots: false },
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.SLOVO_CHROMIUM ?? "/usr/bin/chromium",
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
