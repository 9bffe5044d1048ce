/** The user's own DOCX template: uploaded, refused, replaced and deleted in the settings, and used in the download dialog. */
import type { Page } from "@playwright/test";
import type { DocxTemplate, OwnDocxTemplate, Problem } from "../../src/api/schema";
import { test as built } from "../built-page";
import { intercept } from "../intercept";
import { eachLocale, eachWidth } from "../looks";
import { mockApi, SESSION } from "../mock-api";
import { expectAccessible } from "../test";
import { type Locale, textsOf, untilParameter } from "../texts";
import { expect, test as workplace } from "../workplace";

const TEMPLATE: DocxTemplate = { name: "Бланк <b>відділу</b>.docx", size: 48_213, set_at: "2026-11-20T14:05:00Z" };
const WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

const fileOf = (name: string, bytes = 16) => ({ name, mimeType: WORD, buffer: Buffer.alloc(bytes, "P") });

interface TemplateServer {
  template: DocxTemplate | null;
  refusal: { code: Problem["code"]; status: number } | null;
  /** Names of the uploaded files. */
  sent: (string | null)[];
}

/** Opens the settings of a user with this template. */
async function open(page: Page, origin: string, locale: Locale, server: TemplateServer): Promise<void> {
  await mockApi(page, { signedIn: true, jobs: [] });
  await intercept(page, "**/api/v1/me/docx-template**", (route) => {
    const request = route.request();
    const { pathname, searchParams } = new URL(request.url());
    if (pathname.endsWith("/example") || pathname.endsWith("/file")) {
      const name = pathname.endsWith("/file") ? "own.docx" : "example.docx";
      return route.fulfill({
        contentType: WORD,
        headers: { "content-disposition": `attachment; filename="${name}"` },
        body: "PK",
      });
    }
    if (request.method() === "DELETE") {
      server.template = null;
      return route.fulfill({ status: 204 });
    }
    if (request.method() === "PUT") {
      server.sent.push(searchParams.get("name"));
      if (server.refusal) {
        const problem: Problem = { type: "about:blank", title: "Refused", request_id: "test", ...server.refusal };
        return route.fulfill({
          status: server.refusal.status,
          contentType: "application/problem+json",
          body: JSON.stringify(problem),
        });
      }
      server.template = { ...TEMPLATE, name: searchParams.get("name") ?? "" };
      return route.fulfill({ json: server.template });
    }
    return route.fulfill({ json: { template: server.template } satisfies OwnDocxTemplate });
  });
  await page.addInitScript(
    ([session, language]) => {
      localStorage.setItem("slovo.session", session);
      localStorage.setItem("slovo.locale", language);
    },
    [JSON.stringify(SESSION), locale] as const,
  );
  await page.goto(`${origin}/settings?tab=preferences`);
}

for (const locale of eachLocale("uk")) {
  const t = textsOf(locale, "settings").docx_template;
  const { codes } = textsOf(locale, "problems");
  const { export: dialogTexts } = textsOf(locale, "sharing");

  for (const width of eachWidth(locale)) {
    built(`one is sent, shown, replaced and removed (${locale}, ${width} px)`, async ({ page, origin }) => {
      await page.setViewportSize({ width, height: 844 });
      const server: TemplateServer = { template: null, refusal: null, sent: [] };
      await open(page, origin, locale, server);
      const section = page.getByRole("region", { name: t.title });
      await expect(section.getByText(t.none)).toBeVisible();
      await expect(section.getByText(untilParameter(t.text))).toContainText("{{transcript}}");
      await expect(section).toContainText("{{title}}, {{date}}");

      const picker = section.getByTestId("docx-template-file");
      await picker.setInputFiles(fileOf("Лист & бланк.docx"));
      await expect(section.getByText("Лист & бланк.docx")).toBeVisible();
      await expect(section.getByRole("status")).toHaveText(t.saved);
      await expectAccessible(page);

      await picker.setInputFiles(fileOf(TEMPLATE.name));
      await expect(section.getByText(TEMPLATE.name)).toBeVisible();
      expect(server.sent).toEqual(["Лист & бланк.docx", TEMPLATE.name]);

      const downloading = page.waitForEvent("download");
      await section.getByRole("button", { name: t.download }).click();
      expect((await downloading).suggestedFilename()).toBe("own.docx");

      await section.getByRole("button", { name: t.remove }).click();
      await section.getByRole("button", { name: t.confirm, exact: true }).click();
      await expect(section.getByText(t.none)).toBeVisible();
      await expect(section.getByRole("status")).toHaveText(t.removed);
      await expect(section.getByRole("button", { name: t.choose })).toBeFocused();
      const { inner, scroll } = await page.evaluate(() => ({
        inner: document.documentElement.clientWidth,
        scroll: document.documentElement.scrollWidth,
      }));
      expect(scroll).toBe(inner);
    });
  }

  built(`what is refused says why, and what there was stays (${locale})`, async ({ page, origin }) => {
    const server: TemplateServer = { template: TEMPLATE, refusal: null, sent: [] };
    await open(page, origin, locale, server);
    const section = page.getByRole("region", { name: t.title });
    await expect(section.getByText(TEMPLATE.name)).toBeVisible();
    const picker = section.getByTestId("docx-template-file");
    // A file that is too large is not sent.
    await picker.setInputFiles(fileOf("large.docx", 2 * 1024 * 1024 + 1));
    await expect(section.getByRole("alert")).toContainText(codes.docx_template_too_large.split("{{")[0] ?? "");
    expect(server.sent).toEqual([]);
    for (const code of ["docx_template_not_word", "docx_template_active", "docx_template_external"] as const) {
      server.refusal = { code, status: 422 };
      await picker.setInputFiles(fileOf("bad.docx"));
      await expect(section.getByRole("alert")).toContainText(codes[code]);
      await expect(section.getByText(TEMPLATE.name)).toBeVisible();
    }
    await expectAccessible(page);
    server.refusal = null;
    await picker.setInputFiles(fileOf("good.docx"));
    await expect(section.getByText("good.docx")).toBeVisible();
    await expect(section.getByRole("alert")).toHaveText("");
  });

  built(`an example to begin with is given (${locale})`, async ({ page, origin }) => {
    await open(page, origin, locale, { template: null, refusal: null, sent: [] });
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: t.example.button }).click();
    expect((await downloading).suggestedFilename()).toBe("example.docx");
  });

  workplace(`the download dialog uses it for DOCX alone, and remembers that (${locale})`, async ({ page, open }) => {
    const queries: URLSearchParams[] = [];
    await intercept(page, "**/api/v1/me/docx-template", (route) => route.fulfill({ json: { template: TEMPLATE } }));
    await intercept(page, "**/api/v1/jobs/*/export?**", (route) => {
      queries.push(new URL(route.request().url()).searchParams);
      return route.fulfill({ contentType: WORD, body: "PK" });
    });
    await open({ locale });
    const { downloads } = textsOf(locale, "transcript");
    const dialog = page.getByRole("dialog", { name: dialogTexts.title });
    const use = dialog.getByRole("switch", { name: dialogTexts.template.use });
    const download = async () => {
      const downloading = page.waitForEvent("download");
      await dialog.getByRole("button", { name: dialogTexts.download, exact: true }).click();
      await downloading;
      await expect(dialog).toBeHidden();
    };

    await page.getByRole("button", { name: downloads.menu }).click();
    await expect(use).not.toBeChecked();
    await expect(dialog.getByText(TEMPLATE.name)).toBeVisible();
    await use.click();
    await expectAccessible(page);
    await download();

    await page.getByRole("button", { name: downloads.menu }).click();
    await expect(use).toBeChecked();
    await dialog.getByRole("radio", { name: dialogTexts.formats.pdf.name }).click();
    await expect(use).toHaveCount(0);
    await download();
    expect(queries.map((query) => [query.get("format"), query.get("template")])).toEqual([
      ["docx", "true"],
      ["pdf", null],
    ]);
  });
}
