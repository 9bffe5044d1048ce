/** The states of the upload page in both languages and themes, three widths: no overflow, accessible. */
import { writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import configure from "../src/locales/uk/configure.json" with { type: "json" };
import { signIn } from "./accounts";
import { LONG, largeRecording, recording, SHORT } from "./recordings";
import { expect, expectAccessible, test } from "./test";

const LOOKS = [
  { locale: "uk", theme: "light", width: 390, height: 844 },
  { locale: "en", theme: "dark", width: 390, height: 844 },
  { locale: "uk", theme: "light", width: 1280, height: 800 },
  { locale: "en", theme: "dark", width: 1280, height: 800 },
  { locale: "en", theme: "light", width: 1920, height: 1080 },
] as const;

/** Values that do not matter for the screenshots. */
async function mockOtherApi(page: Page): Promise<void> {
  const features = Object.fromEntries(
    ["transcription", "timestamps", "diarization", "summarization", "llm_translation", "srt_translation", "sentiment"]
      .concat(["classification", "insights"])
      .map((name) => [name, true]),
  );
  await page.route("**/api/v1/presets", (route) => route.fulfill({ json: { presets: [] } }));
  await page.route("**/api/v1/me/minutes", (route) =>
    route.fulfill({ json: { plan: null, limit: null, used: 12, left: null, reset_at: "2026-12-01T00:00:00Z" } }),
  );
  await page.route("**/api/v1/capabilities", (route) =>
    route.fulfill({ json: { features, vocabulary: true, translate: true, multichannel: true, media_pages: false } }),
  );
  await page.route("**/api/v1/urls/probe", async (route) => {
    const title = "Лекція 7. Фонетика української мови: наголос, інтонація, паузи";
    const { url } = route.request().postDataJSON() as { url: string };
    if (url.includes("page")) {
      const body = { type: "about:blank", title: "No", status: 422, code: "url_needs_downloader", params: {}, request_id: "e2e" };
      await route.fulfill({ status: 422, contentType: "application/problem+json", body: JSON.stringify(body) });
    } else {
      await route.fulfill({ json: { kind: "youtube", title, filename: null, duration: 5406, size: null, content_type: null } });
    }
  });
}

for (const look of LOOKS) {
  const name = `${look.locale}-${look.theme}-${look.width}`;
  test.describe(name, () => {
    test.use({ viewport: look });

    test("the states of the upload page", async ({ page, context, server, reader }) => {
      await signIn(context, reader, look);
      await mockOtherApi(page);
      const shoot = async (state: string) => {
        await page.evaluate(() => document.fonts.ready);
        await page.screenshot({ path: `e2e/shots/upload-${state}-${name}.png`, animations: "disabled" });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect(overflow, `${state}: nothing sticks out to the right`).toBeLessThanOrEqual(0);
        await expectAccessible(page);
      };
      const go = page.getByRole("main").getByRole("button").last();

      await page.goto(`${server.origin}/upload?source=url`);
      await page.locator("input[name=url]").fill("https://example.org/page");
      await page.locator("input[name=url]").press("Enter");
      await expect(page.getByRole("alert")).toBeVisible();
      await shoot("url-refused");
      await page.locator("input[name=url]").fill("https://youtu.be/dQw4w9WgXcQ");
      await shoot("url-typed");
      await page.locator("input[name=url]").press("Enter");
      await expect(page.getByText("Лекція 7")).toBeVisible();
      await shoot("url-found");

      await page.goto(`${server.origin}/upload`);
      await expect(go).toBeVisible();
      await shoot("select");
      await go.click();
      await shoot("nothing-chosen");

      await page.locator("input[type=file]").first().setInputFiles(recording("long.mp3", LONG));
      await expect(page.locator("form")).toBeVisible();
      await expect(page.getByRole("status").filter({ hasText: /Файл надіслано|File uploaded/ })).toBeVisible();
      await shoot("one-ready");

      const note = test.info().outputPath("нотатки до інтерв’ю.pdf");
      writeFileSync(note, "%PDF-1.4");
      const network = await context.newCDPSession(page);
      const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 2_000_000 };
      await network.send("Network.emulateNetworkConditions", slow);
      await page.getByRole("button", { name: /^(Додати запис|Add recording)$/ }).click();
      await shoot("adding");
      const large = ["screens-a.wav", "screens-b.wav", "screens-c.wav"].map((file) => largeRecording(file, 90));
      await page
        .locator("input[type=file]")
        .first()
        .setInputFiles([...large, recording("short.mp3", SHORT), note]);
      await expect(page.getByTestId("upload-percent").first()).toBeVisible();
      await page.getByRole("checkbox", { name: /Однакові|same settings/ }).uncheck();
      await page
        .getByRole("button", { name: /^(Призупинити|Pause)$/ })
        .nth(1)
        .click();
      await page.waitForTimeout(1_500);
      await shoot("several");
      await page.getByRole("button", { name: /^(Назад|Back)$/ }).click();
      await shoot("discarded");
    });
  });
}

test("the texts of this file are those of the page", () => {
  expect(configure.actions.back).toBe("Назад");
});
