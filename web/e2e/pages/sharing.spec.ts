/** Files and links of a transcript, and the page that a link leads to. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { SharedTranscript } from "../../src/api/schema.d.ts";
import en from "../../src/locales/en/sharing.json" with { type: "json" };
import transcriptEn from "../../src/locales/en/transcript.json" with { type: "json" };
import player from "../../src/locales/uk/player.json" with { type: "json" };
import uk from "../../src/locales/uk/sharing.json" with { type: "json" };
import transcript from "../../src/locales/uk/transcript.json" with { type: "json" };
import { expectAccessible, playerState } from "../test";
import { refuse } from "../transcript-past";
import type { TranscriptWorld } from "../transcript-world";
import { expect, LOOKS, picture, test } from "../workplace";

test("a file has what was chosen, and the choice is there the next time", async ({ page, open }) => {
  await open();
  await page.getByRole("button", { name: transcript.downloads.menu }).click();
  const dialog = page.getByRole("dialog", { name: uk.export.title });
  await dialog.getByRole("radio", { name: uk.export.formats.pdf.name }).click();
  // On, as the transcription was asked for.
  await dialog.getByRole("checkbox", { name: uk.export.timestamps }).uncheck();
  const asked = page.waitForRequest((request) => request.url().includes("/export?"));
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("button", { name: uk.export.download, exact: true }).click();
  const query = new URL((await asked).url()).searchParams;
  expect(Object.fromEntries(query)).toEqual({ format: "pdf", speakers: "true", timestamps: "false" });
  expect((await downloading).suggestedFilename()).toBe("interview.pdf");
  await expect(dialog).toBeHidden();
  await page.getByRole("button", { name: transcript.downloads.menu }).click();
  await expect(dialog.getByRole("radio", { name: uk.export.formats.pdf.name })).toBeChecked();
  await dialog.getByRole("radio", { name: uk.export.formats.srt.name }).click();
  await expect(dialog.getByText(uk.export.timestampsAlways)).toBeVisible();
});

test("a link is made, copied and withdrawn", async ({ page, context, open, past }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open();
  await page.getByRole("button", { name: uk.share.open }).click();
  const dialog = page.getByRole("dialog", { name: uk.share.title });
  await expect(dialog.getByRole("listitem")).toHaveCount(2);
  await dialog.getByLabel(uk.share.expiry.label).selectOption("date");
  await dialog.getByRole("button", { name: uk.share.create }).click();
  await expect(dialog.getByText(uk.share.expiry.wrong)).toBeVisible();
  await dialog.getByLabel(uk.share.expiry.label).selectOption("never");
  await dialog.getByRole("checkbox", { name: uk.share.withMedia }).uncheck();
  await dialog.getByRole("button", { name: uk.share.create }).click();
  await expect(page.getByText(uk.share.createdCopied)).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(past.shares[0]?.url);
  expect(past.asked.at(-1)?.body).toEqual({ expires_at: null, with_media: false });
  const row = dialog.getByRole("listitem").first();
  await expect(row).toContainText(uk.share.forever);
  await row.getByRole("button", { name: /^Відкликати посилання/ }).click();
  await row.getByRole("button", { name: uk.share.withdrawYes, exact: true }).click();
  await expect(dialog.getByRole("listitem")).toHaveCount(2);
});

function sharedOf(world: TranscriptWorld, change: Partial<SharedTranscript> = {}): SharedTranscript {
  return {
    title: "Інтерв’ю з директоркою літературного музею",
    duration: world.job.duration ?? 0,
    language: "uk",
    has_video: false,
    with_media: true,
    with_times: true,
    expires_at: "2099-01-01T21:59:59Z",
    media_url: `${world.origin}/api/v1/jobs/${world.job.my_job_id}/media`,
    waveform_url: "/api/v1/shared/waveform/shape",
    transcript: {
      version: 1,
      seq: 0,
      language: "uk",
      duration: world.job.duration ?? 0,
      mode: "full",
      model: "",
      warnings: [],
      segments: world.segments,
      speakers: world.speakers.map((one, at) => ({ ...one, name: ["Ведуча", "Тетяна Пилипчук", null][at] ?? null })),
    },
    ...change,
  };
}

/** Loud in the second half only: nothing in the text says so. */
const PEAKS = Array.from({ length: 400 }, (_, at) => (at < 200 ? 0.02 : 0.5 + 0.5 * Math.abs(Math.sin(at))));

async function visit(page: Page, world: TranscriptWorld, shared: SharedTranscript | number) {
  await page.route("**/api/v1/shared/**", (route) => {
    if (typeof shared === "number") return refuse(route, shared, "not_found");
    const isShape = new URL(route.request().url()).pathname === "/api/v1/shared/waveform/shape";
    return route.fulfill({ json: isShape ? { duration: shared.duration, peaks: PEAKS } : shared });
  });
  await page.goto(`${world.origin}/shared/AZgdPgAAcACAAAAAAAAAsbn0x1Q2fWcKk3z0m5rT8vE`);
}

test("whoever has the link reads, hears, searches and takes the text along", async ({ page, world }) => {
  const requests: string[] = [];
  page.on("request", (request) => request.url().includes("/api/") && requests.push(new URL(request.url()).pathname));
  await visit(page, world, sharedOf(world));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Інтерв’ю з директоркою літературного музею");
  await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", /noindex/);
  const text = page.getByTestId("shared-text");
  await text.getByText("вивезли", { exact: true }).first().click();
  await expect.poll(async () => (await playerState(page)).paused).toBe(false);
  expect((await playerState(page)).time).toBeGreaterThan(10);
  await page.getByRole("tab", { name: uk.page.dialog }).click();
  await expect(page.getByTestId("turn").nth(1)).toHaveAttribute("data-side", "right");
  await page.getByRole("searchbox").fill("П'ЯТЬ");
  const results = page.getByRole("region", { name: uk.page.results });
  await expect(results.locator("mark")).toHaveText("п’ять");
  await results.getByRole("button").click();
  await expect(results).toBeHidden();
  await expect(text.getByText("ключ.", { exact: true })).toBeInViewport();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: uk.page.download }).click();
  const file = readFileSync(await (await downloading).path(), "utf8");
  expect(file).toContain("Тетяна Пилипчук: Добрий день. Він починається");
  // Nothing of an account is asked for.
  expect(requests.filter((path) => !path.includes("/shared/") && !path.endsWith("/media"))).toEqual([]);
});

test("the player draws the sound, and says when the text is of another track than the one that is heard", async ({
  page,
  world,
}) => {
  await visit(page, world, sharedOf(world, { audio_track: 1 }));
  const path = page.getByRole("region", { name: player.label }).locator("svg path").first();
  const halves = async () => {
    const heights = [...((await path.getAttribute("d")) ?? "").matchAll(/v([\d.]+)h/g)].map(([, height]) => Number(height));
    const middle = Math.floor(heights.length / 2);
    return [Math.max(...heights.slice(0, middle - 1)) < 10, Math.min(...heights.slice(middle + 1)) > 40];
  };
  await expect.poll(halves).toEqual([true, true]);
  await expect(page.getByText(player.otherTrack.replace("{{number}}", "2"))).toBeVisible();
  await expectAccessible(page);
});

test("a link without the recording has no player", async ({ page, world }) => {
  await visit(page, world, sharedOf(world, { with_media: false, media_url: null }));
  await expect(page.getByTestId("shared-text")).toBeVisible();
  await expect(page.locator("audio, video")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /Слухати/ })).toHaveCount(0);
});

test("a dead link says what to do", async ({ page, world }) => {
  await visit(page, world, 404);
  await expect(page.getByRole("heading", { name: uk.page.gone })).toBeVisible();
  await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", /noindex/);
  await expectAccessible(page);
});

for (const look of LOOKS) {
  test(`looks ${look.width} ${look.theme} ${look.locale}`, async ({ page, open }) => {
    const [texts, of] = look.locale === "uk" ? ([uk, transcript] as const) : ([en, transcriptEn] as const);
    await open(look);
    // On a phone both are in the menu.
    const choose = async (wide: string, inMenu: string) => {
      if (look.width !== 390) return page.getByRole("button", { name: wide }).click();
      await page.getByRole("button", { name: of.more, exact: true }).click();
      await page.getByRole("menuitem", { name: inMenu }).click();
    };
    await choose(of.downloads.menu, of.downloads.label);
    await expect(page.getByRole("dialog", { name: texts.export.title })).toBeVisible();
    await picture(page, "export", look);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await choose(texts.share.open, texts.share.open);
    await expect(page.getByRole("dialog").getByRole("listitem")).toHaveCount(2);
    await picture(page, "share", look);
    await expectAccessible(page);
  });

  test(`the shared page looks ${look.width} ${look.theme} ${look.locale}`, async ({ page, world }) => {
    await page.setViewportSize({ width: look.width, height: look.width === 390 ? 844 : 800 });
    await page.addInitScript(
      ([locale, theme]) => {
        localStorage.setItem("slovo.locale", locale);
        localStorage.setItem("slovo.theme", theme);
      },
      [look.locale, look.theme] as const,
    );
    await visit(page, world, sharedOf(world));
    await expect(page.getByTestId("shared-text")).toBeVisible();
    await picture(page, "shared", look);
    await expectAccessible(page);
    await page.getByRole("searchbox").fill("музе");
    await expect(page.locator("mark").first()).toBeVisible();
    await picture(page, "shared-search", look);
    await expectAccessible(page);
  });
}
