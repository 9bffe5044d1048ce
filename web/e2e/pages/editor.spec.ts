/** The workspace of a finished transcript with a fake server: all views, messages and shortcuts. */
import { expect, type Page } from "@playwright/test";
import en from "../../src/locales/en/editor.json" with { type: "json" };
import uk from "../../src/locales/uk/editor.json" with { type: "json" };
import { signIn } from "../accounts";
import { eachLocale } from "../looks";
import { sessionOf } from "../mock-api";
import { expectAccessible } from "../test";
import { withWorld } from "../workplace";

const test = withWorld.extend<{ open: (look?: Look) => Promise<void> }>({
  open: async ({ page, context, world }, use) => {
    await use(async ({ tab = "text", locale = "uk", theme = "light" } = {}) => {
      await signIn(context, sessionOf({ signedIn: true, jobs: [] }), { locale, theme });
      await page.goto(`${world.origin}/transcription/${world.job.my_job_id}?tab=${tab}`);
      await expect(page.getByRole("toolbar")).toBeVisible();
    });
  },
});

interface Look {
  tab?: string;
  locale?: "uk" | "en";
  theme?: "light" | "dark";
}

test.setTimeout(90_000);
test.use({ actionTimeout: 10_000 });

const field = (page: Page) => page.getByTestId("segment-editor");
const status = (page: Page) => page.getByTestId("save-status");
const word = (page: Page, text: string) => page.getByTestId("transcript-text").getByText(text, { exact: true }).first();

/** Puts the caret into the segment with this word. */
async function writeAt(page: Page, text: string): Promise<void> {
  const doneButton = page.getByRole("button", { name: uk.toolbar.done });
  if (!(await doneButton.isVisible())) await page.getByRole("button", { name: uk.toolbar.edit, exact: true }).click();
  await word(page, text).click();
  await expect(field(page)).toBeFocused();
}

test("typed text is saved a second after the last key, and survives a reload", async ({ page, world, open }) => {
  await open();
  await writeAt(page, "ключ.");
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" Навіть запасний.");
  await expect(status(page)).toContainText(uk.save.saved);
  expect(world.text("3")).toBe("У нас п’ять працівниць, і кожна має свій ключ. Навіть запасний.");
  expect(world.asked).toHaveLength(1);
  await expect(status(page)).toBeEmpty();
  await page.reload();
  await expect(page.getByTestId("transcript-text")).toContainText("Навіть запасний.");
});

test("Enter splits at the caret, Backspace at the start joins, undo and redo use the server", async ({ page, world, open }) => {
  await open();
  await writeAt(page, "дім");
  await page.keyboard.press("Control+Home");
  for (let step = 0; step < 5; step += 1) await page.keyboard.press("Control+ArrowRight");
  await page.keyboard.press("Enter");
  await expect.poll(() => world.segments.length).toBe(27);
  await expect(field(page)).toHaveValue(/^березні, але/);
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("Backspace");
  await expect.poll(() => world.segments.length).toBe(26);
  await expect(field(page)).toHaveValue(/^Ми вивезли рукописи ще в березні, але/);
  await page.keyboard.press("Control+z");
  await expect.poll(() => world.segments.length).toBe(27);
  await page.keyboard.press("Control+z");
  await expect.poll(() => world.segments.length).toBe(26);
  await page.keyboard.press("Control+y");
  await expect.poll(() => world.segments.length).toBe(27);
  await page.keyboard.press("Control+Shift+z");
  await expect.poll(() => world.segments.length).toBe(26);
});

test("Escape restores the last saved text, Ctrl+Enter keeps the typed text", async ({ page, world, open }) => {
  await open();
  await writeAt(page, "ящики.");
  await page.keyboard.type("зайве");
  await page.keyboard.press("Escape");
  await expect(field(page)).toHaveCount(0);
  await expect(page.getByTestId("transcript-text")).not.toContainText("зайве");
  await writeAt(page, "вагон?");
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" Справді?");
  await page.keyboard.press("Control+Enter");
  await expect(field(page)).toHaveCount(0);
  await expect.poll(() => world.text("10")).toBe("Це був окремий вагон? Справді?");
});

test("arrow keys move the caret between segments, and Tab plays", async ({ page, open }) => {
  await open();
  await writeAt(page, "вагон?");
  await page.keyboard.press("Control+End");
  await page.keyboard.press("ArrowRight");
  await expect(field(page)).toHaveValue(/^Ні, звичайний/);
  await page.keyboard.press("ArrowLeft");
  await expect(field(page)).toHaveValue(/^Це був/);
  const paused = () => page.locator("audio").evaluate((media: HTMLMediaElement) => media.paused);
  await page.keyboard.press("Tab");
  await expect.poll(paused).toBe(false);
  await expect(field(page)).toBeFocused();
  await page.keyboard.press("Tab");
  await expect.poll(paused).toBe(true);
});

test("a lost connection loses nothing: a message, the next page, and one edit in the end", async ({ page, world, open }) => {
  await open();
  world.setLine("lost");
  await writeAt(page, "Першими");
  await page.keyboard.press("Control+End");
  await page.keyboard.type(" Усе.");
  await expect(status(page)).toContainText("Помилка збереження тексту");
  world.setLine("up");
  await page.reload();
  await expect.poll(() => world.text("6")).toMatch(/Слобожанщини\. Усе\.$/);
  await expect(page.getByTestId("transcript-text")).toContainText("Усе.");
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("slovo.edits"))))
    .toEqual([]);
  expect(world.journal).toHaveLength(1);
  expect(new Set(world.asked.flatMap(({ edits }) => edits.map(({ edit_id }) => edit_id))).size).toBe(1);
});

test("text typed just before a reload is kept", async ({ page, world, open }) => {
  await open();
  await writeAt(page, "Першими");
  await page.keyboard.press("Control+End");
  await page.keyboard.type("!");
  world.setLine("down");
  await page.reload({ waitUntil: "domcontentloaded" });
  world.setLine("up");
  await page.reload();
  await expect.poll(() => world.text("6")).toMatch(/!$/);
});

test("Retry sends unsaved changes", async ({ page, world, open }) => {
  await open();
  world.setLine("refused");
  await writeAt(page, "Першими");
  await page.keyboard.type("А ");
  await expect(status(page)).toContainText("Помилка збереження тексту");
  world.setLine("up");
  await status(page).getByRole("button").click();
  await expect(status(page)).toContainText(uk.save.saved);
});

test("others' edits appear, and the reader chooses between two texts of a segment", async ({ page, world, open }) => {
  await open();
  world.write({ kind: "set_text", segment: world.ref("0"), text: "Вітаємо в ефірі." });
  await expect(page.getByTestId("transcript-text")).toContainText("Вітаємо в ефірі.");
  await writeAt(page, "вагон?");
  await page.keyboard.press("Control+End");
  // The connection is lost while both write, so that a conflict is certain.
  world.setLine("down");
  await page.keyboard.type(" Мій.");
  world.write({ kind: "set_text", segment: world.ref("10"), text: "Це був їхній вагон?" });
  world.setLine("up");
  const panel = page.getByTestId("conflicts");
  await expect(panel).toContainText("Це був окремий вагон? Мій.");
  await expect(panel).toContainText("Це був їхній вагон?");
  await expectAccessible(page);
  await panel.getByRole("button", { name: uk.conflict.editBoth }).click();
  // The changes of each relative to the common base.
  await expect(panel.getByRole("textbox")).toHaveValue("Це був їхній вагон? Мій.");
  await panel.getByRole("textbox").fill("Це був їхній окремий вагон? Мій.");
  await panel.getByRole("button", { name: uk.conflict.saveBoth }).click();
  await expect.poll(() => world.text("10")).toBe("Це був їхній окремий вагон? Мій.");
  await expect(panel).toHaveCount(0);
});

for (const width of [390, 1024, 1280]) {
  test(`the text does not move when the caret leaves it, ${width} px`, async ({ page, open }) => {
    await open();
    await page.setViewportSize({ width, height: 800 });
    await writeAt(page, "ключ.");
    const toolbar = page.getByRole("toolbar", { name: uk.toolbar.label });
    const place = async () => ({
      toolbar: (await toolbar.boundingBox())?.height,
      text: (await word(page, "Добрий").boundingBox())?.y,
    });
    const before = await place();
    await field(page).blur();
    await expect(page.getByRole("button", { name: uk.toolbar.cancel, exact: true })).toBeDisabled();
    expect(await place()).toEqual(before);
  });
}

test("a conflict is resolved with either text", async ({ page, world, open }) => {
  await open();
  for (const [choice, expected] of [
    [uk.conflict.keepMine, "Мій"],
    [uk.conflict.takeTheirs, "Їхній 2"],
  ] as const) {
    await writeAt(page, "читають?");
    await page.keyboard.press("Control+a");
    world.setLine("down");
    await page.keyboard.type(choice === uk.conflict.keepMine ? "Мій" : "Мій другий");
    world.write({ kind: "set_text", segment: world.ref("18"), text: `Їхній ${choice === uk.conflict.keepMine ? 1 : 2}` });
    world.setLine("up");
    await page.getByTestId("conflicts").getByRole("button", { name: choice, exact: true }).click();
    await expect.poll(() => world.text("18")).toBe(expected);
    await page.keyboard.press("Escape");
    world.write({ kind: "set_text", segment: world.ref("18"), text: "Що вони читають?" });
    await expect(word(page, "читають?")).toBeVisible();
  }
});

test("speakers are renamed, merged and reassigned", async ({ page, world, open }) => {
  await open();
  const panel = page.getByRole("region", { name: uk.speakers.label });
  await panel.getByRole("button", { name: "Дії: S2" }).click();
  await page.getByRole("menuitem", { name: uk.speakers.rename }).click();
  await page.getByRole("textbox", { name: "Ім’я для S2" }).fill("Тетяна");
  await page.keyboard.press("Enter");
  await expect.poll(() => world.speakers.map(({ name }) => name)).toEqual([null, "Тетяна", null]);
  await expect(page.getByTestId("transcript-text")).toContainText("Тетяна");
  await page.getByRole("button", { name: uk.toolbar.edit, exact: true }).click();
  await page.getByRole("button", { name: "Мовець: S3" }).first().click();
  await page.getByRole("menuitem", { name: "S1", exact: true }).click();
  await expect.poll(() => world.segments.filter(({ speaker }) => speaker === "SPEAKER_2").length).toBe(3);
  await panel.getByRole("button", { name: "Дії: S3" }).click();
  await page.getByRole("menuitem", { name: "Це S1" }).click();
  await expect.poll(() => world.speakers.length).toBe(2);
  await expect(panel.getByRole("listitem")).toHaveCount(2);
});

test("find and replace lists the matches, replaces the selected ones in one edit, and can be undone", async ({
  page,
  world,
  open,
}) => {
  await open();
  await page.keyboard.press("Control+h");
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel(uk.replace.find).fill("музей");
  await sheet.getByLabel(uk.replace.with).fill("МУЗЕЙ");
  await expect(sheet.getByRole("status")).toContainText("2");
  await expectAccessible(page);
  await sheet.getByRole("checkbox").nth(2).click();
  await sheet.getByRole("button", { name: "Замінити 1" }).click();
  await expect.poll(() => world.journal.map(({ kind }) => kind)).toEqual(["replace"]);
  expect(world.text("1")).toBe("Пані Тетяно, з чого починається музей, коли навколо війна?");
  expect(world.text("13")).toBe("А як реагували місцеві? МУЗЕЙ же не зачинявся.");
  await page.getByRole("button", { name: uk.toolbar.undo }).click();
  await expect.poll(() => world.text("13")).toBe("А як реагували місцеві? Музей же не зачинявся.");
});

test("the dialog view has two sides, and the view is in the URL", async ({ page, open }) => {
  await open({ tab: "dialog" });
  await expect(page.getByTestId("turn").first()).toHaveAttribute("data-side", "left");
  await expect(page.getByTestId("turn").nth(1)).toHaveAttribute("data-side", "right");
  await expect(page.getByTestId("turn").nth(1)).toContainText("S2");
  await page.getByRole("tab", { name: uk.tabs.segments }).click();
  await expect(page).toHaveURL(/tab=segments/);
  await page.goBack();
  await expect(page.getByRole("tab", { name: uk.tabs.dialog })).toHaveAttribute("aria-selected", "true");
});

test("returning to the view that is still shown while another one loads opens it", async ({ page, open }) => {
  await open();
  await expect(page.getByTestId("transcript-text")).toBeVisible();
  const click = async (...tabs: string[]) => {
    // Within one task, so that the first view cannot load before the second click.
    await page.getByRole("tablist").evaluate((list, names) => {
      for (const name of names) {
        const tab = [...list.querySelectorAll<HTMLElement>("[role=tab]")].find(({ textContent }) => textContent === name);
        tab?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true, button: 0 }));
        tab?.click();
      }
    }, tabs);
  };
  await click(uk.tabs.segments, uk.tabs.text);
  await expect(page).toHaveURL(/tab=text/);
  await expect(page.getByRole("tab", { name: uk.tabs.text })).toHaveAttribute("aria-selected", "true");
  await click(uk.tabs.dialog, uk.tabs.text, uk.tabs.segments);
  await expect(page).toHaveURL(/tab=segments/);
  await expect(page.getByRole("table")).toBeVisible();
  await page.goBack();
  await expect(page.getByTestId("transcript-text")).toBeVisible();
});

test("search ignores case and apostrophes, filters by speaker, and plays from a match", async ({ page, open }) => {
  await open({ tab: "search" });
  await page.getByRole("searchbox").fill("З'ЯВИВСЯ");
  await expect(page.getByTestId("hits").locator("mark")).toHaveText("з’явився");
  await page.getByRole("searchbox").press("Enter");
  await expect.poll(() => page.locator("audio").evaluate((media: HTMLMediaElement) => media.currentTime)).toBeGreaterThan(40);
  await page.getByRole("searchbox").fill("музе");
  await expect(page.getByTestId("hits").locator("mark")).toHaveCount(3);
  await page.getByLabel(uk.search.speaker).selectOption("SPEAKER_1");
  await expect(page.getByText(uk.search.none)).toBeVisible();
});

test("the table sorts by confidence and assigns a line to another speaker", async ({ page, world, open }) => {
  await open({ tab: "segments" });
  const rows = page.getByTestId("segments").getByRole("row");
  await expect(rows.first()).toContainText("Добрий день");
  await page.getByRole("button", { name: uk.segments.sort }).click();
  await expect(rows.first()).toContainText("Йогансена");
  await rows
    .first()
    .getByRole("button", { name: /^Мовець/ })
    .click();
  await page.getByRole("menuitem", { name: "S3" }).click();
  await expect.poll(() => world.segments[6]?.speaker).toBe("SPEAKER_2");
});

test("subtitles show their values while typing, and a line is split at a cue", async ({ page, world, open }) => {
  await open({ tab: "subtitles" });
  const cue = page.getByTestId("cue").nth(1);
  await cue.getByRole("textbox", { name: /^Субтитр / }).click();
  await page.keyboard.press("Control+End");
  const before = await cue.textContent();
  await page.keyboard.type(" і ще кілька слів, яких ніхто не встигне прочитати за цей час");
  await expect.poll(() => cue.textContent()).not.toBe(before);
  await expect(cue).toContainText("зашвидко");
  await page.keyboard.press("Escape");
  // Only a line with several subtitles can be split at one.
  const second = page.getByTestId("cue").filter({ has: page.getByRole("textbox", { name: /^Субтитр \d+\.2$/ }) });
  await second
    .first()
    .getByRole("button", { name: /^Дії із/ })
    .click();
  await page.getByRole("menuitem", { name: uk.cues.tools.splitLine }).click();
  await expect.poll(() => world.segments.length).toBe(27);
});

for (const locale of eachLocale("en")) {
  const texts = { uk, en }[locale];
  test(`every view is accessible and translated: ${locale}`, async ({ page, open }) => {
    test.slow();
    for (const tab of ["text", "dialog", "search", "segments", "subtitles"] as const) {
      await open({ tab, locale });
      await expect(page.getByRole("tab", { name: texts.tabs[tab] })).toHaveAttribute("aria-selected", "true");
      await expectAccessible(page);
    }
    await open({ locale });
    await page.getByRole("button", { name: texts.toolbar.edit, exact: true }).click();
    await word(page, "вагон?").click();
    await expect(field(page)).toBeFocused();
    await expectAccessible(page);
  });
}
