/** An administrator configures the speech endpoint. The API is mocked. */
import type { Page } from "@playwright/test";
import type { EndpointTest, SpeechEndpoint, SpeechEndpointForm } from "../../src/api/schema";
import { openAsAdmin } from "../admin-world";
import { test } from "../built-page";
import { intercept } from "../intercept";
import { eachLocale, eachLook, shoot } from "../looks";
import { expect, expectAccessible } from "../test";
import { type Locale, textsOf } from "../texts";

const ADDRESS = "http://192.168.1.20:8000/v1";
const PLACE = "http://192.168.1.20:8000";
const MODEL = "Systran/faster-whisper-large-v3";

const NONE: SpeechEndpoint = {
  set: { url: "", model: "", full: true, lite: false, languages: [], translates: false, parallel: 4, falls_back: true },
  key: "missing",
  own_key_for: null,
};

const tested = (change: Partial<EndpointTest>): EndpointTest => ({
  outcome: "works",
  status: 200,
  models: [MODEL, "Systran/faster-whisper-small"],
  milliseconds: 412,
  tested_at: "2026-11-28T12:00:00Z",
  ...change,
});

/** A server that stores what it is sent, except for 17 parts at once; returns the requests. */
async function open(
  page: Page,
  origin: string,
  locale: Locale,
  look: { theme?: "light" | "dark"; endpoint?: SpeechEndpoint } = {},
) {
  const { theme = "light" } = look;
  let endpoint = look.endpoint ?? NONE;
  const sent: SpeechEndpointForm[] = [];
  const tests = [tested({ outcome: "model_unknown", status: 404 }), tested({})];
  await openAsAdmin(page, "about:blank", {}, { locale, theme });
  await intercept(page, "**/api/v1/admin/speech-endpoint/test", (route) => route.fulfill({ json: tests.shift() }));
  await intercept(page, "**/api/v1/admin/speech-endpoint", (route) => {
    if (route.request().method() !== "PUT") return route.fulfill({ json: endpoint });
    const body: SpeechEndpointForm = route.request().postDataJSON();
    sent.push(body);
    if ((body.parallel ?? 0) > 16) {
      const errors = [{ field: "parallel", code: "number_too_large", params: { max: 16 } }];
      return route.fulfill({
        status: 422,
        contentType: "application/problem+json",
        json: { type: "about:blank", title: "Invalid", status: 422, code: "validation_failed", request_id: "mocked", errors },
      });
    }
    const { key, ...set } = body;
    endpoint = {
      set: { ...endpoint.set, ...set },
      ...(key === undefined || key === null
        ? { key: endpoint.key, own_key_for: endpoint.own_key_for }
        : key
          ? { key: "own" as const, own_key_for: PLACE }
          : { key: "missing" as const, own_key_for: null }),
    };
    return route.fulfill({ json: endpoint });
  });
  await page.goto(`${origin}/admin/config?section=speech`);
  return sent;
}

for (const locale of eachLocale("en")) {
  const config = textsOf(locale, "admin-config");
  const names = textsOf(locale, "languages");
  const { speech: t, endpoint: shared } = config;
  const cardOf = (page: Page) => page.getByRole("region", { name: t.title, exact: true });
  const save = (page: Page) => cardOf(page).getByRole("button", { name: config.save, exact: true }).click();

  test(`the endpoint is entered, tested and saved, and its key is not shown again (${locale})`, async ({ page, origin }) => {
    const sent = await open(page, origin, locale);
    const card = cardOf(page);
    await expect(card.getByText(t.leaves)).toBeVisible();
    await expect(card.getByText(t.none)).toBeVisible();
    await expect(card.getByRole("button", { name: shared.test })).toBeDisabled();
    await expectAccessible(page);

    await card.getByLabel(shared.url).fill(ADDRESS);
    await card.getByLabel(shared.model, { exact: true }).fill("whisper");
    await card.getByLabel(shared.key_field).fill("sk-secret");
    const languages = card.getByRole("combobox", { name: t.languages, exact: true });
    await languages.fill(names.uk.slice(0, 4));
    await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await card.getByRole("checkbox", { name: t.translates }).check();
    await expect(card.getByRole("checkbox", { name: t.translates })).toHaveAccessibleDescription(t.translates_hint);
    await card.getByRole("spinbutton", { name: t.parallel }).fill("17");
    await save(page);
    const parallel = card.getByRole("spinbutton", { name: t.parallel });
    await expect(parallel).toBeFocused();
    await expect(parallel).toHaveAttribute("aria-invalid", "true");
    // Not under the buttons at the bottom.
    expect(
      await parallel.evaluate((field) => {
        const { left, bottom } = field.getBoundingClientRect();
        return document.elementFromPoint(left + 9, bottom - 9) === field;
      }),
    ).toBe(true);
    await expectAccessible(page);

    await parallel.press("ArrowDown");
    await save(page);
    await expect(page.getByText(config.saved)).toBeVisible();
    expect(sent.at(-1)).toEqual({
      ...NONE.set,
      url: ADDRESS,
      model: "whisper",
      languages: ["uk"],
      translates: true,
      parallel: 16,
      key: "sk-secret",
    });
    await expect(card.getByText(shared.key.own.replace("{{place}}", PLACE))).toBeVisible();
    await expect(card.getByLabel(shared.key_field)).toHaveValue("");

    await card.getByRole("button", { name: shared.test }).click();
    const result = card.getByRole("status", { name: shared.result });
    await expect(result).toContainText(shared.outcome.model_unknown.title);
    await expect(result).toContainText(MODEL);
    await expectAccessible(page);
    await card.getByLabel(shared.model, { exact: true }).fill(MODEL);
    await expect(result).toBeEmpty();
    await save(page);
    await card.getByRole("button", { name: shared.test }).click();
    await expect(result).toContainText(shared.outcome.works.title);

    await card.getByRole("checkbox", { name: shared.key_remove }).check();
    await save(page);
    await expect(card.getByText(shared.key.missing)).toBeVisible();
    expect(sent.at(-1)).toMatchObject({ key: "", model: MODEL });
  });

  test(`without a mode it is turned off, and unsaved changes stay while another section is open (${locale})`, async ({
    page,
    origin,
  }) => {
    const endpoint: SpeechEndpoint = {
      ...NONE,
      set: { ...NONE.set, url: ADDRESS, model: MODEL },
      key: "withheld",
      own_key_for: "https://a",
    };
    const sent = await open(page, origin, locale, { endpoint });
    const card = cardOf(page);
    await expect(card.getByText(shared.key.withheld)).toBeVisible();
    await card.getByRole("checkbox", { name: t.full, exact: true }).uncheck();
    await expect(card.getByText(t.off)).toBeVisible();
    const nav = page.getByRole("navigation", { name: config.nav });
    await nav.getByRole("link", { name: config.sections.models, exact: true }).click();
    await expect(card).toBeHidden();
    await nav.getByRole("link", { name: config.sections.speech }).click();
    await expect(card.getByText(t.off)).toBeVisible();
    await save(page);
    await expect(card.getByText(t.idle, { exact: true })).toBeVisible();
    expect(sent.at(-1)).toMatchObject({ full: false, lite: false });
    expect(sent.at(-1)).toMatchObject({ key: null });
    await expectAccessible(page);
  });
}

for (const { locale, theme, width } of eachLook(
  [
    { locale: "uk", theme: "light", width: 1280 },
    { locale: "en", theme: "dark", width: 390 },
    { locale: "uk", theme: "dark", width: 390 },
    { locale: "en", theme: "light", width: 1280 },
  ] as const,
  1,
)) {
  test(`the card is readable: ${locale}, ${theme}, ${width}`, async ({ page, origin }) => {
    await page.setViewportSize({ width, height: 900 });
    const set = { ...NONE.set, url: ADDRESS, model: MODEL, languages: ["uk", "en", "pl"] };
    await open(page, origin, locale, { theme, endpoint: { set, key: "own", own_key_for: PLACE } });
    const { endpoint: shared, speech: t } = textsOf(locale, "admin-config");
    await page.getByRole("button", { name: shared.test }).click();
    await expect(page.getByRole("status", { name: shared.result })).toContainText(shared.outcome.model_unknown.title);
    await page.getByRole("checkbox", { name: t.lite, exact: true }).focus();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await expectAccessible(page);
    await shoot(page, `test-results/admin-speech-${locale}-${theme}-${width}.png`, { fullPage: true });
  });
}
