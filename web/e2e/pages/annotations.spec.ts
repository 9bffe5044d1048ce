/** Bookmarks, highlights and notes beside the text; time stamps inserted while typing. */
import type { Page } from "@playwright/test";
import { signIn } from "../accounts";
import { contrast } from "../contrast";
import { eachLook } from "../looks";
import { sessionOf } from "../mock-api";
import { expect, expectAccessible } from "../test";
import { textsOf } from "../texts";
import type { TranscriptWorld } from "../transcript-world";
import { withWorld as test } from "../workplace";

test.setTimeout(120_000);
test.use({ actionTimeout: 15_000 });

const LOOKS = [
  { locale: "uk", theme: "light", width: 1280 },
  { locale: "en", theme: "dark", width: 390 },
  { locale: "en", theme: "dark", width: 1280 },
  { locale: "uk", theme: "dark", width: 390 },
] as const;
type Look = (typeof LOOKS)[number];

const text = (page: Page) => page.getByTestId("transcript-text");
const list = (page: Page) => page.getByTestId("annotations");
const line = (page: Page, id: string) => text(page).locator(`[data-segment="${id}"] > p.reading`);

async function open(page: Page, world: TranscriptWorld, { locale, theme, width }: Look): Promise<void> {
  await page.setViewportSize({ width, height: width === 390 ? 844 : 800 });
  await signIn(page.context(), sessionOf({ signedIn: true, jobs: [] }), { locale, theme });
  await page.goto(`${world.origin}/transcription/${world.job.my_job_id}`);
  await expect(page.getByRole("toolbar").first()).toBeVisible();
  await expect(line(page, "3").locator(".transcript-word").first()).toBeVisible();
}

/** Selects words of lines like a pointer. */
const select = (page: Page, from: [id: string, word: string], to: [id: string, word: string]) =>
  page.evaluate(
    ([[fromId, fromWord], [toId, toWord]]) => {
      const wordOf = (id: string, wordText: string) =>
        [...document.querySelectorAll(`[data-segment="${id}"] .transcript-word`)].find(
          (element) => element.textContent?.trim() === wordText,
        );
      const [first, last] = [wordOf(fromId, fromWord), wordOf(toId, toWord)];
      if (!first || !last) throw new Error("no such word");
      getSelection()?.setBaseAndExtent(first, 0, last, last.childNodes.length);
    },
    [from, to] as const,
  );

/** The highlighted texts on the page, by colour. */
const drawn = (page: Page) =>
  page.evaluate(() => {
    const all: Record<string, string[]> = {};
    for (const [name, ranges] of CSS.highlights) {
      if (name.startsWith("mark-")) {
        all[name.slice(5)] = [...ranges].filter((range) => (range as Range).getBoundingClientRect().width > 0).map(String);
      }
    }
    return all;
  });

/** The list, in the column or in the drawer. */
async function showList(page: Page, { locale, width }: Look): Promise<void> {
  if (width === 390 && !(await list(page).isVisible())) {
    await page.getByRole("button", { name: textsOf(locale, "transcript").side.label, exact: true }).click();
  }
  await expect(list(page)).toBeVisible();
}

for (const look of eachLook(LOOKS)) {
  const t = textsOf(look.locale, "editor").annotations;
  const name = `${look.locale}, ${look.theme}, ${look.width}`;

  test(`selected words get a colour and a note, which survive a reload (${name})`, async ({ page, world }) => {
    await open(page, world, look);
    await select(page, ["3", "п’ять"], ["3", "працівниць,"]);
    const bar = page.getByRole("toolbar", { name: t.bar });
    await expect(bar).toBeVisible();
    const box = await bar.boundingBox();
    expect(box?.x ?? -1).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(look.width);
    await bar.getByRole("button", { name: t.highlight, exact: true }).click();
    await expect.poll(() => drawn(page)).toEqual({ yellow: ["п’ять працівниць,"] });
    await expect(bar).toHaveCount(0);
    const annotation = { kind: "highlight", segment: "3", quote: "п’ять працівниць,", version: 1 };
    await expect.poll(() => world.annotations.all).toMatchObject([annotation]);

    await page.getByRole("button", { name: t.addNote, exact: true }).click();
    await expect(list(page)).toBeVisible();
    const note = list(page).getByRole("textbox", { name: t.note });
    await expect(note).toBeFocused();
    await note.fill("Перепитати імена\n<b>усіх</b>");
    await list(page).getByRole("radio", { name: t.colours.blue }).check();
    await expectAccessible(page);
    await list(page).getByRole("button", { name: t.save, exact: true }).click();
    await expect(list(page)).toContainText("<b>усіх</b>");
    await expect.poll(() => drawn(page)).toEqual({ blue: ["п’ять працівниць,"] });
    // It is shown before the server has stored it.
    const change = { colour: "blue", note: "Перепитати імена\n<b>усіх</b>" };
    await expect.poll(() => world.annotations.all).toMatchObject([change]);

    await page.reload();
    await expect.poll(() => drawn(page)).toEqual({ blue: ["п’ять працівниць,"] });
    await showList(page, look);
    await expect(list(page)).toContainText("Перепитати імена");
    await expectAccessible(page);
  });
}

test("words are readable on every colour in both themes", async ({ page, world }) => {
  await open(page, world, LOOKS[0]);
  for (const theme of ["light", "dark"]) {
    const colours = await page.evaluate((next) => {
      document.documentElement.dataset.theme = next;
      const probe = document.body.appendChild(document.createElement("i"));
      const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      const read = (name: string) => {
        probe.style.color = `var(${name})`;
        if (!context) throw new Error("no canvas");
        context.fillStyle = getComputedStyle(probe).color;
        context.fillRect(0, 0, 1, 1);
        const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
        return `rgb(${red}, ${green}, ${blue})`;
      };
      const all = ["yellow", "green", "blue", "pink"].map((name) => read(`--mark-${name}`));
      const ink = read("--ink");
      probe.remove();
      return { all, ink };
    }, theme);
    expect(new Set(colours.all).size, theme).toBe(4);
    for (const colour of colours.all) expect(contrast(colours.ink, colour), `${theme} ${colour}`).toBeGreaterThanOrEqual(4.5);
  }
});

test("the keyboard selects and highlights words, and sets a bookmark at the playback position", async ({ page, world }) => {
  const look = LOOKS[2];
  const t = textsOf(look.locale, "editor").annotations;
  await open(page, world, look);
  await text(page).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await expect.poll(() => page.evaluate(() => String(getSelection()))).toBe("день. Сьогодні у");
  await page.keyboard.press("h");
  await expect.poll(() => drawn(page)).toEqual({ yellow: ["день. Сьогодні у"] });
  await page.keyboard.press("m");
  await expect(list(page).getByRole("listitem")).toHaveCount(2);
  await expect(text(page).locator("[data-bookmarked]")).toHaveCount(1);
  // It is shown only beside the line.
  const ribbon = await line(page, "0").evaluate((element) => getComputedStyle(element, "::before").width);
  expect(Number.parseFloat(ribbon)).toBeGreaterThan(4);
  await page.keyboard.press("m");
  await expect(page.getByText(t.bookmarkedBefore)).toBeVisible();
  await expect(list(page).getByRole("listitem")).toHaveCount(2);

  // Deleting and undo work by keyboard, too.
  const first = list(page).getByRole("listitem").nth(1);
  await first.getByRole("button", { name: new RegExp(`^${t.remove.split("{{")[0]}`) }).press("Enter");
  await expect(list(page).getByRole("listitem")).toHaveCount(1);
  await expect(list(page).getByRole("heading")).toBeFocused();
  await expect.poll(() => world.annotations.all.length).toBe(1);
  const undo = textsOf(look.locale, "common").actions.undo;
  await page.locator("[data-sonner-toast]").getByRole("button", { name: undo, exact: true }).click();
  await expect(list(page).getByRole("listitem")).toHaveCount(2);
  await expect.poll(() => world.annotations.all.length).toBe(2);
});

test("a selection over several lines is highlighted in each; edits move it, and removed words are reported", async ({
  page,
  world,
}) => {
  const look = LOOKS[0];
  const t = textsOf(look.locale, "editor").annotations;
  await open(page, world, look);
  await select(page, ["2", "вікна."], ["4", "Ми"]);
  await page.keyboard.press("h");
  const words = ["вікна.", world.text("3") ?? "", "Ми"];
  await expect.poll(() => drawn(page)).toEqual({ yellow: words });
  expect(world.annotations.made).toBe(1);

  world.write({ kind: "set_text", segment: world.ref("2"), text: "Отже, він починається з людей, чи цілі вікна." });
  await expect(line(page, "2")).toContainText("Отже");
  await expect.poll(() => drawn(page)).toEqual({ yellow: words });
  await expect(list(page).getByText(t.changed)).toHaveCount(0);

  world.write({ kind: "set_text", segment: world.ref("4"), text: "Усе вивезли." });
  await expect(list(page).getByText(t.changed)).toHaveCount(1);
  await expect(list(page).getByRole("listitem").nth(2)).toContainText("Ми");
  await expect.poll(() => drawn(page)).toEqual({ yellow: words.slice(0, 2) });
});

test("on a phone the list closes to show the selected position", async ({ page, world }) => {
  const look = LOOKS[3];
  await open(page, world, look);
  await select(page, ["20", "«Кобзаря»"], ["20", "«Кобзаря»"]);
  await page.keyboard.press("h");
  await showList(page, look);
  const row = list(page).getByRole("listitem").first();
  await expect(row).toContainText("«Кобзаря»");
  await row.getByRole("button").first().click();
  await expect(list(page)).toHaveCount(0);
  await expect(line(page, "20")).toBeInViewport();
});

test("in forced colours a highlight is an underline", async ({ page, world }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await open(page, world, LOOKS[0]);
  await select(page, ["3", "п’ять"], ["3", "п’ять"]);
  const before = await line(page, "3").screenshot();
  await page.keyboard.press("h");
  await expect.poll(() => drawn(page)).toEqual({ yellow: ["п’ять"] });
  // After the selection is gone, the highlight must be visible.
  expect(await page.evaluate(() => getSelection()?.isCollapsed)).toBe(true);
  const marked = await line(page, "3").screenshot();
  expect(marked.equals(before)).toBe(false);
  await page.evaluate(() => CSS.highlights.clear());
  expect((await line(page, "3").screenshot()).equals(marked)).toBe(false);
});

for (const look of [LOOKS[0], LOOKS[1]]) {
  const t = textsOf(look.locale, "editor");

  test(`a time stamp is inserted at the caret, undone as one edit, and plays (${look.locale}, ${look.width})`, async ({
    page,
    world,
  }) => {
    await open(page, world, look);
    const before = world.text("3") ?? "";
    await page.getByRole("button", { name: t.toolbar.edit, exact: true }).click();
    await line(page, "3").getByText("ключ.", { exact: true }).click();
    const field = page.getByTestId("segment-editor");
    await expect(field).toBeFocused();
    await field.press("Control+Home");
    await field.press("Alt+t");
    await expect(field).toHaveValue(`[00:00:00] ${before}`);
    await expect.poll(() => world.text("3")).toBe(`[00:00:00] ${before}`);
    await field.press("Control+z");
    await expect(field).toHaveValue(before);
    await expect.poll(() => world.text("3")).toBe(before);

    await page.getByRole("button", { name: t.toolbar.stamp }).click();
    await expect(field).toHaveValue(/\[00:00:00\]/);
    await expect(field).toBeFocused();
    await field.press("Control+Enter");
    await expect(field).toHaveCount(0);
    await expect(text(page)).toContainText("[00:00:00]");
  });
}
