/** The languages that may be spoken: in the wizard, in the default settings and for the whole server. The API is mocked. */
import type { Locator, Page } from "@playwright/test";
import type { Preferences, ServerSettings, ServerSettingsView, UploadState } from "../../src/api/schema";
import { EVERYTHING } from "../../src/api/test-capabilities";
import { signIn } from "../accounts";
import { openAsAdmin } from "../admin-world";
import { test } from "../built-page";
import { mockConfigure } from "../configure-world";
import { intercept } from "../intercept";
import { eachLocale } from "../looks";
import { mockApi, SESSION, settings } from "../mock-api";
import { expect, expectAccessible } from "../test";
import { type Locale, textsOf } from "../texts";

const NAME = "розмова.mp3";

interface World {
  /** The languages of the server. */
  ofServer: string[];
  /** The settings of the account. */
  ofAccount: Partial<Preferences["settings"]>;
}

async function open(page: Page, address: string, locale: Locale, { ofServer, ofAccount }: World) {
  const saved: Preferences["settings"][] = [];
  await mockApi(page, { signedIn: true, jobs: [] });
  await mockConfigure(page, { capabilities: { ...EVERYTHING, languages: ofServer } });
  let preferences = { locale, theme: "light", mail_on_completion: false, settings: { ...settings, ...ofAccount } };
  await intercept(page, "**/api/v1/me/preferences", (route) => {
    if (route.request().method() === "PUT") {
      preferences = route.request().postDataJSON();
      saved.push(preferences.settings);
    }
    return route.fulfill({ json: preferences });
  });
  await signIn(page.context(), SESSION, { locale });
  await page.goto(address);
  return saved;
}

/** A server that takes a whole recording at once, and notes the jobs that are created. */
async function takingUploads(page: Page, origin: string, size: number) {
  const tus = { "tus-resumable": "1.0.0" };
  const jobs: { settings: Record<string, unknown> }[] = [];
  await intercept(page, "**/api/v1/uploads", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 201, headers: { ...tus, location: `${origin}/api/v1/uploads/01981d3e-up` } })
      : route.fulfill({ json: { uploads: [] } }),
  );
  const state: UploadState = {
    upload_id: "01981d3e-7c2a-7aa0-9d61-000000000099",
    filename: NAME,
    kind: "file",
    stored: size,
    size,
    complete: true,
    media: { container: "mp3", codec: "mp3", duration: 60, tracks: 1, channels: 1, audio_tracks: [] },
    created_at: "2026-11-21T08:40:00Z",
  };
  await intercept(page, "**/api/v1/uploads/*", (route) =>
    route.request().method() === "GET"
      ? route.fulfill({ json: state })
      : route.fulfill({ status: 204, headers: { ...tus, "upload-offset": String(size) } }),
  );
  await intercept(page, "**/api/v1/jobs", (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    jobs.push(route.request().postDataJSON());
    return route.abort();
  });
  return jobs;
}

/** The selected languages, by the names of their chips. */
const chips = (box: Locator) => box.locator("xpath=..").getByRole("listitem");

for (const locale of eachLocale("uk")) {
  const { spoken, language, chips: ofChips, actions } = textsOf(locale, "configure");
  const names = textsOf(locale, "languages");
  const boxOf = (page: Page) => page.getByRole("combobox", { name: spoken.label, exact: true });

  test(`a transcription begins with the languages of the server, which can be changed (${locale})`, async ({ page, origin }) => {
    const buffer = Buffer.concat([Buffer.from("ID3"), Buffer.alloc(997)]);
    await open(page, "about:blank", locale, { ofServer: ["uk", "pl"], ofAccount: { language_code: "uk" } });
    const jobs = await takingUploads(page, origin, buffer.length);
    await page.goto(`${origin}/upload`);
    await page.locator("input[type=file]").first().setInputFiles({ name: NAME, mimeType: "audio/mpeg", buffer });
    const select = page.getByLabel(language.label, { exact: true });
    await expect(select).toHaveValue("uk");
    await expect(boxOf(page), "a given language needs no others").toHaveCount(0);
    await select.selectOption("auto");
    await expect(chips(boxOf(page))).toHaveText([names.uk, names.pl]);

    // By the keyboard alone: search, add, go back to a chip, remove it.
    await boxOf(page).focus();
    await page.keyboard.type(names.en.slice(0, 4).toLowerCase());
    const list = page.getByRole("listbox", { name: language.all });
    await expect(list.getByRole("option")).toHaveText([names.en]);
    await expectAccessible(page);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await expect(list).toHaveCount(0);
    await expect(chips(boxOf(page))).toHaveText([names.uk, names.pl, names.en]);
    for (const key of ["Backspace", "ArrowLeft"]) await page.keyboard.press(key);
    await expect(page.getByRole("button", { name: ofChips.remove.replace("{{entry}}", names.pl) })).toBeFocused();
    await page.keyboard.press("Delete");
    await expect(chips(boxOf(page))).toHaveText([names.uk, names.en]);
    await expectAccessible(page);

    await page.getByRole("button", { name: actions.start, exact: true }).click();
    await expect.poll(() => jobs.at(-1)?.settings).toMatchObject({ language_code: "auto", languages: ["uk", "en"] });
  });

  test(`the account has its own languages before those of the server (${locale})`, async ({ page, origin }) => {
    const { save } = textsOf(locale, "settings");
    const world = { ofServer: ["uk", "en"], ofAccount: {} };
    const saved = await open(page, `${origin}/settings?tab=preferences`, locale, world);
    const box = boxOf(page);
    await expect(box).toHaveAccessibleDescription(new RegExp(names.en, "i"));
    await box.click();
    await page.getByRole("listbox").getByRole("option", { name: names.de, exact: true }).click();
    // At once: it disappears after some seconds.
    await expect(page.getByText(save.saved)).toBeVisible();
    expect(saved.at(-1)?.languages).toEqual(["de"]);
    await expect(chips(box)).toHaveText([names.de]);
    await expect(box).toBeFocused();
    await expectAccessible(page);
  });

  test(`an administrator sets the languages of the server (${locale})`, async ({ page, origin }) => {
    const config = textsOf(locale, "admin-config");
    const view = {
      settings: {
        limits: { max_upload_bytes: null, waiting_jobs: null, contact_days: null },
        switches: {},
        defaults: { languages: ["uk"] },
      },
      google_configured: false,
      most_upload_bytes: 4_000_000_000,
      usual_upload_bytes: 2_000_000_000,
    } as unknown as ServerSettingsView;
    const sent: ServerSettings[] = [];
    await openAsAdmin(page, "about:blank", {}, { locale });
    await intercept(page, "**/api/v1/admin/settings", (route) => {
      if (route.request().method() !== "PUT") return route.fulfill({ json: view });
      const body: ServerSettings = route.request().postDataJSON();
      view.settings = body;
      sent.push(body);
      return route.fulfill({ json: body });
    });
    await page.goto(`${origin}/admin/config?section=settings`);
    const box = boxOf(page);
    await expect(chips(box)).toHaveText([names.uk]);
    await expect(box).toHaveAccessibleDescription(config.settings.languages_hint);
    await box.fill("ru");
    await page.keyboard.press("Enter");
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: config.save, exact: true }).click();
    await expect(page.getByText(config.saved)).toBeVisible();
    expect(sent.map(({ defaults }) => defaults)).toEqual([{ languages: ["uk", "ru"] }]);
    await expect(chips(box)).toHaveText([names.uk, names.ru]);
  });
}
