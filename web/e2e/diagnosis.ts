/** What a failed test reports beyond its own message, since CI keeps neither screenshots nor traces. */
import type { Page, Request, TestInfo } from "@playwright/test";
import type { Server } from "./server";

const KEPT_REQUESTS = 25;
const KEPT_LOG_LINES = 20;
const KEPT_CHARACTERS = 2_000;

/** Waits for the end of the test, and adds the page's text, its last requests of the API and the server's log if it failed. */
export async function diagnosed(page: Page, server: Server, info: TestInfo, test: () => Promise<void>): Promise<void> {
  const requests = new Map<Request, string>();
  const note = (request: Request, outcome: string) => {
    if (request.url().includes("/api/")) requests.set(request, outcome);
  };
  page.on("request", (request) => note(request, "not answered"));
  page.on("response", (response) => note(response.request(), String(response.status())));
  page.on("requestfailed", (request) => note(request, request.failure()?.errorText ?? "failed"));
  await test();
  if (info.status === info.expectedStatus) return;
  const text = await page
    .locator("body")
    .innerText({ timeout: 2_000 })
    .catch((error) => String(error));
  const last = [...requests].slice(-KEPT_REQUESTS).map(([request, outcome]) => {
    const { pathname } = new URL(request.url());
    return `${request.method()} ${pathname}: ${outcome}`;
  });
  const parts = {
    page: [page.url(), text.replaceAll(/\s*\n\s*/g, " | ").slice(0, KEPT_CHARACTERS)],
    requests: last,
    server: server.log.slice(-KEPT_LOG_LINES),
  };
  for (const [name, lines] of Object.entries(parts)) {
    // The prefix is also known to `crates/xtask/src/suite/results.rs`.
    info.errors.push({ message: `── ${name}\n${lines.join("\n")}` });
  }
}
