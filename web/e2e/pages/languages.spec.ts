/** A text in two languages: where they change is marked in each view, and a search can be limited to one. */
import { expect, type Page } from "@playwright/test";
import en from "../../src/locales/en/languages.json" with { type: "json" };
import enText from "../../src/locales/en/transcript.json" with { type: "json" };
import ukEditor from "../../src/locales/uk/editor.json" with { type: "json" };
import uk from "../../src/locales/uk/languages.json" with { type: "json" };
import { signIn } from "../accounts";
import { sessionOf } from "../mock-api";
import { expectAccessible } from "../test";
import { withWorld } from "../workplace";

interface Look {
  tab: string;
  locale?: "uk" | "en";
  theme?: "light" | "dark";
  /** Positions of the segments that are in English; the others are in Ukrainian. */
  english?: number[];
}

const test = withWorld.extend<{ open: (look: Look) => Promise<void> }>({
  open: async ({ page, context, world }, use) => {
    await use(async ({ tab, locale = "uk", theme = "light", english = [3, 4] }) => {
      world.segments.forEach((segment, at) => {
        segment.language = english.includes(at) ? "en" : "uk";
      });
      await signIn(context, sessionOf({ signedIn: true, jobs: [] }), { locale, theme });
      await page.goto(`${world.origin}/transcription/${world.job.my_job_id}?tab=${tab}`);
      await expect(page.getByRole("toolbar")).toBeVisible();
    });
  },
});

test.setTimeout(90_000);
test.use({ actionTimeout: 10_000 });

const marks = (page: Page) => page.getByTestId("language-mark");
const views = "[data-testid=transcript-text], [data-testid=segments], [data-testid=turn]";

for (const tab of ["text", "segments", "dialog"]) {
  test(`${tab}: a mark where the language changes, and lines with their language`, async ({ page, open }) => {
    await open({ tab });
    await expect(marks(page)).toHaveCount(2);
    await expect(marks(page).first()).toContainText(uk.en);
    await expect(marks(page).nth(1)).toContainText(uk.uk);
    await expect(marks(page).first()).toHaveAttribute("lang", "uk");
    await expect(page.locator(views).locator("[lang=en]")).toHaveCount(2);
    await expect(page.getByText(`${uk.uk}, ${uk.en}`)).toBeVisible();
    await expectAccessible(page);
  });

  test(`${tab}: nothing is marked in a text in one language`, async ({ page, open }) => {
    await open({ tab, english: [] });
    await expect(page.getByText("ключ").first()).toBeVisible();
    await expect(marks(page)).toHaveCount(0);
  });
}

test("a narrow screen shows the code, and screen readers read the name once", async ({ page, open }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open({ tab: "text", locale: "en", theme: "dark" });
  const mark = marks(page).first();
  await expect(mark.getByText("en", { exact: true })).toBeVisible();
  await expect(mark.getByText(en.en, { exact: true })).toBeHidden();
  await expect(mark.locator(":scope > :not([aria-hidden])")).toHaveText(enText.text.newLanguage.replace("{{language}}", en.en));
  await expectAccessible(page);
});

test("an edit keeps marks right", async ({ page, world, open }) => {
  await open({ tab: "text" });
  world.write({ kind: "remove", segments: [world.ref("4")] });
  await expect(marks(page)).toHaveCount(2);
  world.write({ kind: "remove", segments: [world.ref("3")] });
  await expect(marks(page)).toHaveCount(0);
});

test("a search is limited to a language, where there are several", async ({ page, open }) => {
  await open({ tab: "search", english: [3] });
  await page.getByRole("searchbox").fill("музе");
  const hits = page.getByTestId("hits").locator("mark");
  await expect(hits).toHaveCount(3);
  const language = page.getByLabel(ukEditor.search.language);
  await language.selectOption("en");
  await expect(page.getByText(ukEditor.search.none)).toBeVisible();
  await page.getByRole("searchbox").fill("ключ");
  await expect(page.getByTestId("hits").locator("[lang=en] mark")).toHaveCount(1);
  await language.selectOption("");
  await page.getByRole("searchbox").fill("музе");
  await expect(hits).toHaveCount(3);
});

test("a search in a text in one language offers none", async ({ page, open }) => {
  await open({ tab: "search", english: [] });
  await expect(page.getByRole("searchbox")).toBeVisible();
  await expect(page.getByLabel(ukEditor.search.language)).toHaveCount(0);
});
