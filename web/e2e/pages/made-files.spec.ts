/** Files created with the text: offered beside it, and downloaded. */
import { readFile } from "node:fs/promises";
import type { Download } from "@playwright/test";
import { intercept } from "../intercept";
import { eachLocale, eachWidth } from "../looks";
import { expectAccessible } from "../test";
import { textsOf, untilParameter } from "../texts";
import { expect, test } from "../workplace";

const MADE = { made_at: "2026-11-20T14:13:40Z", size: 1200, version: 1 };
const SRT = "1\n00:00:00,400 --> 00:00:04,000\nДобрий день.\n";

const textOf = async (download: Download) => readFile(await download.path(), "utf8");

for (const locale of eachLocale("uk")) {
  const { card, side } = textsOf(locale, "transcript");
  const { made } = textsOf(locale, "sharing");

  for (const width of eachWidth(locale)) {
    test(`are offered and downloaded (${locale}, ${width} px)`, async ({ page, world, open }) => {
      world.job.files = [
        { ...MADE, format: "txt" },
        { ...MADE, format: "srt" },
      ];
      const formats: string[] = [];
      await intercept(page, `**/api/v1/jobs/${world.job.my_job_id}/files/*`, (route) => {
        formats.push(new URL(route.request().url()).pathname.split("/").at(-1) ?? "");
        return route.fulfill({
          contentType: "application/x-subrip",
          headers: { "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent("Інтерв’ю.srt")}` },
          body: SRT,
        });
      });
      await open({ locale, width });
      // On a phone they are in a drawer.
      if (width === 390) await page.getByRole("button", { name: side.label, exact: true }).click();
      const files = page.getByRole("region", { name: card.files });
      await expect(files.getByText(untilParameter(card.filesMade))).toBeVisible();
      await expect(files.getByRole("button")).toHaveText([made.txt, made.srt]);
      await expectAccessible(page);
      const downloading = page.waitForEvent("download");
      await files.getByRole("button", { name: made.srt }).click();
      const download = await downloading;
      expect(formats).toEqual(["srt"]);
      expect(download.suggestedFilename()).toBe("Інтерв’ю.srt");
      expect(await textOf(download)).toBe(SRT);
    });
  }

  test(`are not mentioned if there are none; a missing one is reported (${locale})`, async ({ page, world, open }) => {
    await open({ locale });
    await expect(page.getByRole("region", { name: card.label })).toBeVisible();
    await expect(page.getByRole("region", { name: card.files })).toHaveCount(0);
    world.job.files = [{ ...MADE, format: "txt" }];
    await page.reload();
    await page.getByRole("region", { name: card.files }).getByRole("button", { name: made.txt }).click();
    await expect(page.getByText(textsOf(locale, "sharing").export.failed)).toBeVisible();
  });
}
