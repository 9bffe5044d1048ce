/** Sources and targets with a real server: folders on its disk and a podcast, through crashes. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Session } from "../src/api/schema";
import texts from "../src/locales/uk/sources.json" with { type: "json" };
import targets from "../src/locales/uk/targets.json" with { type: "json" };
import { signIn, signUp } from "./accounts";
import { speech } from "./recordings";
import { Server } from "./server";
import { test as base, expect, expectAccessible } from "./test";
import { startingWith, untilParameter } from "./texts";

interface Watching {
  server: Server;
  /** The first account. */
  admin: Session;
  folder: string;
  /** A folder for texts. */
  copies: string;
  /** Address of the feed. */
  feed: string;
}

const test = base.extend<object, { watching: Watching }>({
  watching: [
    // biome-ignore lint/correctness/noEmptyPattern: the form that Playwright asks for
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), "slovo-e2e-watched-"));
      const copies = mkdtempSync(join(tmpdir(), "slovo-e2e-copies-"));
      // Its only episode cannot be fetched: the job says so, and the list shows that it was created.
      const item = `<item><title>Випуск 1</title><guid>one</guid><enclosure url="/1.mp3" type="audio/mpeg" length="1"/></item>`;
      const site = createServer((request, response) => {
        if (request.url !== "/feed.xml") return response.writeHead(404).end();
        return response.end(`<rss version="2.0"><channel><title>Подкаст</title>${item}</channel></rss>`);
      });
      await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening));
      const place = `127.0.0.1:${(site.address() as AddressInfo).port}`;
      const server = await Server.start({
        SLOVO_WATCHED_FOLDERS: folder,
        SLOVO_TARGET_FOLDERS: copies,
        SLOVO_FETCH_ALLOW: place,
      });
      await use({ server, admin: await signUp(server), folder, copies, feed: `http://${place}/feed.xml` });
      await server.stop();
      site.close();
      rmSync(folder, { recursive: true });
      rmSync(copies, { recursive: true });
    },
    { scope: "worker", timeout: 120_000 },
  ],
});

test("what is put into a folder is transcribed once, and its text is kept in another one, also after a crash", async ({
  page,
  context,
  watching,
}) => {
  const { server, admin, folder, copies } = watching;
  await signIn(context, admin);
  const section = page.getByRole("region", { name: texts.title, exact: true });
  const row = section.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Диктофон" }) });
  const check = row.getByRole("button", { name: startingWith(texts.check) });

  await test.step("the folder is added", async () => {
    await page.goto(`${server.origin}/settings?tab=sources`);
    await expect(section).toContainText(texts.empty);
    await section.getByRole("button", { name: texts.add }).click();
    const dialog = page.getByRole("dialog", { name: texts.editor.new });
    await dialog.locator("label").filter({ hasText: texts.kinds.folder.name }).click();
    await dialog.getByRole("textbox", { name: texts.editor.name }).fill("Диктофон");
    await dialog.getByRole("textbox", { name: texts.kinds.folder.location }).fill(folder);
    await dialog.getByRole("button", { name: texts.editor.create }).click();
    // What the first look finds is skipped.
    await expect(row).toContainText(untilParameter(texts.checked));
    await expectAccessible(page);
  });

  await test.step("a new file becomes a transcription", async () => {
    copyFileSync(speech("watched.mp3", "en_US_f_Allison", ["demo-congrats"]), join(folder, "Привітання.mp3"));
    // A file that was seen once may still be growing.
    await check.click();
    await expect(row).toContainText(texts.counts.waiting_one.replace("{{count}}", "1"), { timeout: 15_000 });
    await server.crashAndRestart();
    await page.reload();
    await check.click();
    await expect(row).toContainText(texts.counts.started_one.replace("{{count}}", "1"), { timeout: 40_000 });
    await row.getByRole("button", { name: startingWith(texts.recordings.open) }).click();
    const dialog = page.getByRole("dialog", { name: texts.recordings.title });
    await dialog.getByRole("link", { name: "Привітання.mp3" }).click();
    await expect(page.getByText("Congratulations").first()).toBeVisible({ timeout: 120_000 });
  });

  const note = () => readFileSync(join(copies, "Привітання.md"), "utf8");
  const headers = { authorization: `Bearer ${admin.access_token}` };

  await test.step("its text is saved as a note", async () => {
    await page.goto(`${server.origin}/settings?tab=sources`);
    const copiesSection = page.getByRole("region", { name: targets.title, exact: true });
    await copiesSection.getByRole("button", { name: targets.add }).click();
    const dialog = page.getByRole("dialog", { name: targets.editor.new });
    await dialog.locator("label").filter({ hasText: targets.kinds.folder.name }).click();
    await dialog.getByRole("textbox", { name: texts.editor.name }).fill("Нотатки");
    await dialog.getByRole("textbox", { name: targets.kinds.folder.location }).fill(copies);
    await dialog.getByRole("checkbox", { name: startingWith(targets.editor.take_existing) }).check();
    await dialog.getByRole("button", { name: targets.editor.create }).click();
    const copiesRow = copiesSection.getByRole("listitem");
    await expect(copiesRow).toContainText(targets.counts.written_one.replace("{{count}}", "1"), { timeout: 15_000 });
    expect(note()).toMatch(/^---\ntitle: "Привітання"\ndate: /);
    expect(note()).toContain("Congratulations");
    await expectAccessible(page);
  });

  await test.step("the note follows the title", async () => {
    const { items } = await (await page.request.get(`${server.origin}/api/v1/jobs`, { headers })).json();
    const title = `${server.origin}/api/v1/jobs/${items[0].my_job_id}/title`;
    expect((await page.request.put(title, { headers, data: { title: "Вітання" } })).ok()).toBe(true);
    await expect.poll(note, { timeout: 30_000 }).toContain("# Вітання");
    expect(readdirSync(copies)).toEqual(["Привітання.md"]);
  });

  await test.step("it is not transcribed again", async () => {
    await server.crashAndRestart();
    await page.goto(`${server.origin}/settings?tab=sources`);
    await check.click();
    await expect(row).toContainText(texts.state.active, { timeout: 15_000 });
    await page.goto(`${server.origin}/transcriptions`);
    await expect(page.getByRole("link", { name: "Вітання" })).toHaveCount(1);
    expect(readdirSync(copies)).toEqual(["Привітання.md"]);
  });
});

test("the episodes of a podcast come into the library with their titles", async ({ page, context, watching }) => {
  const { server, feed } = watching;
  await signIn(context, await signUp(server));
  const section = page.getByRole("region", { name: texts.title, exact: true });
  const row = section.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Новини" }) });
  await page.goto(`${server.origin}/settings?tab=sources`);
  await section.getByRole("button", { name: texts.add }).click();
  const dialog = page.getByRole("dialog", { name: texts.editor.new });
  // Folders of the server are for administrators.
  await expect(dialog.getByRole("radio")).toHaveCount(3);
  await dialog.getByRole("textbox", { name: texts.editor.name }).fill("Новини");
  await dialog.getByRole("textbox", { name: texts.kinds.podcast.location }).fill(feed);
  await dialog.getByRole("button", { name: texts.editor.create }).click();
  await expect(row).toContainText(texts.counts.skipped_one.replace("{{count}}", "1"), { timeout: 15_000 });
  await row.getByRole("button", { name: startingWith(texts.recordings.open) }).click();
  const found = page.getByRole("dialog", { name: texts.recordings.title });
  await found.getByRole("button", { name: startingWith(texts.recordings.start.skipped) }).click();
  await expect(found.getByRole("link", { name: "Випуск 1" })).toBeVisible({ timeout: 15_000 });
  await expectAccessible(page);
  await page.goto(`${server.origin}/transcriptions`);
  await expect(page.getByRole("link", { name: "Випуск 1" }).first()).toBeVisible();
});
