/** Voices that are remembered with consent: among the speakers of a text, and in the settings. The API is mocked. */
import type { Page } from "@playwright/test";
import { signIn } from "../accounts";
import { test as built } from "../built-page";
import { eachLook } from "../looks";
import { mockApi, sessionOf } from "../mock-api";
import { expectAccessible } from "../test";
import { type Locale, textsOf, untilParameter } from "../texts";
import type { TranscriptWorld } from "../transcript-world";
import { proposal, VoiceWorld, voice } from "../voice-world";
import { expect, withWorld } from "../workplace";

const OLENA = voice("v-olena", "Олена <b>Коваленко</b>");
const TARAS = voice("v-taras", "Тарас", { recordings: 1, seconds: 75 });

interface Look {
  locale: Locale;
  theme: "light" | "dark";
  width: 390 | 1280;
}

const LOOKS: readonly Look[] = [
  { locale: "uk", theme: "light", width: 1280 },
  { locale: "en", theme: "dark", width: 390 },
];

const filled = (text: string, values: Record<string, string>) =>
  Object.entries(values).reduce((whole, [name, value]) => whole.replace(`{{${name}}}`, value), text);

const test = withWorld.extend<{ voices: VoiceWorld }>({
  voices: async ({ page }, use) => {
    const voices = new VoiceWorld();
    await voices.mock(page);
    await use(voices);
  },
});

interface Opening extends Partial<Look> {
  page: Page;
  world: TranscriptWorld;
}

/** Opens the text with its speakers. */
async function open({ page, world, locale = "uk", theme = "light", width = 1280 }: Opening) {
  await page.setViewportSize({ width, height: width === 390 ? 844 : 800 });
  await signIn(page.context(), sessionOf({ signedIn: true, jobs: [] }), { locale, theme });
  await page.goto(`${world.origin}/transcription/${world.job.my_job_id}?tab=text`);
  await expect(page.getByTestId("transcript-text")).toBeVisible();
  if (width === 390) await page.getByRole("button", { name: textsOf(locale, "transcript").side.label, exact: true }).click();
  return page.getByRole("region", { name: textsOf(locale, "editor").speakers.label });
}

const menuOf = (page: Page, locale: Locale, speaker: string) =>
  page.getByRole("button", { name: filled(textsOf(locale, "editor").speakers.more, { speaker }) });

for (const { locale, theme, width } of eachLook(LOOKS)) {
  const t = textsOf(locale, "voices");
  const { violations } = textsOf(locale, "rules");

  test(`a voice is remembered with consent, by keyboard: ${locale}`, async ({ page, world, voices }) => {
    const panel = await open({ page, world, locale, theme, width });
    const more = menuOf(page, locale, "S2");
    await more.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: t.remember.action }).press("Enter");
    const dialog = page.getByRole("dialog", { name: t.remember.title });
    await expect(dialog).toContainText(t.remember.stored);
    const name = dialog.getByRole("textbox", { name: t.remember.name });
    await expect(name).toBeFocused();
    await expect(dialog.getByRole("combobox")).toHaveCount(0);
    await expectAccessible(page);

    // Without a name and without consent nothing is sent, and it says why.
    await page.keyboard.press("Enter");
    await expect(name).toHaveAccessibleDescription(violations.speaker_name_required);
    await name.fill("Тетяна Пилипчук");
    await page.keyboard.press("Enter");
    const consent = dialog.getByRole("checkbox", { name: t.remember.consent });
    await expect(consent).toBeFocused();
    await expect(dialog).toContainText(t.remember.consent_missing);
    await expectAccessible(page);
    expect(voices.asked).toEqual([]);

    await page.keyboard.press("Space");
    await expect(dialog).not.toContainText(t.remember.consent_missing);
    await dialog.getByRole("button", { name: t.remember.submit }).press("Enter");
    await expect(dialog).toBeHidden();
    const body = { version: 1, speaker: "SPEAKER_1", consent: true, name: "Тетяна Пилипчук" };
    expect(voices.asked).toEqual([{ method: "POST", path: "", body }]);
    await expect(panel).toContainText(t.speaker.learning);
    await expectAccessible(page);
    // The speaker gets the name, as an edit.
    await expect(menuOf(page, locale, "Тетяна Пилипчук")).toBeFocused();
    await expect.poll(() => world.speakers[1]?.name).toBe("Тетяна Пилипчук");

    voices.learn("SPEAKER_1", "ready");
    await expect(panel.getByText(t.speaker.ready, { exact: true })).toBeVisible();
    await expect(panel.getByRole("status")).toHaveText(`Тетяна Пилипчук: ${t.speaker.ready}`);
  });

  test(`refusals and failures say what helps: ${locale}`, async ({ page, world, voices }) => {
    world.speakers = [{ id: "SPEAKER_0", name: "олена <b>коваленко</b>" }, ...world.speakers.slice(1)];
    voices.voices = [OLENA, TARAS];
    const panel = await open({ page, world, locale, theme, width });
    await menuOf(page, locale, "олена <b>коваленко</b>").click();
    await page.getByRole("menuitem", { name: t.remember.action }).click();
    const dialog = page.getByRole("dialog", { name: t.remember.title });
    // A voice with this name is there already.
    const whose = dialog.getByRole("combobox", { name: t.remember.whose });
    await expect(whose).toHaveValue(OLENA.id);
    await expect(dialog.getByRole("textbox")).toHaveCount(0);
    // Who has a name keeps it.
    await expect(dialog.getByRole("checkbox")).toHaveCount(1);
    await dialog.getByRole("checkbox", { name: t.remember.consent }).click();
    const errors = [{ field: "speaker", code: "feature_unavailable", params: {} }];
    voices.refusal = { code: "validation_failed", status: 422, errors } as VoiceWorld["refusal"];
    await dialog.getByRole("button", { name: t.remember.submit }).click();
    await expect(dialog.getByRole("alert")).toContainText(t.failure.feature_unavailable);
    await expectAccessible(page);
    voices.refusal = { code: "too_many_voices", status: 409, params: { max: 50 } };
    await dialog.getByRole("button", { name: t.remember.submit }).click();
    await expect(dialog.getByRole("alert")).toContainText("50");
    await whose.selectOption(t.remember.new);
    await expect(dialog.getByRole("alert")).toHaveText("");
    await whose.selectOption(OLENA.name);
    await dialog.getByRole("button", { name: t.remember.submit }).click();
    await expect(dialog).toBeHidden();
    expect(voices.asked.at(-1)?.body).toEqual({ version: 1, speaker: "SPEAKER_0", consent: true, voice: OLENA.id });

    voices.learn("SPEAKER_0", "failed", "too_little_speech");
    await expect(panel.getByText(filled(t.speaker.failed, { reason: t.failure.too_little_speech })).first()).toBeVisible();
    await expectAccessible(page);
  });

  test(`a proposed name is used, undone and declined: ${locale}`, async ({ page, world, voices }) => {
    voices.voices = [OLENA, TARAS];
    voices.text = {
      ...voices.text,
      compared: true,
      proposals: [proposal("SPEAKER_1", OLENA, 0.824), proposal("SPEAKER_2", TARAS, 0.61)],
    };
    const panel = await open({ page, world, locale, theme, width });
    const proposals = panel.getByTestId("voice-proposal");
    await expect(proposals.first()).toContainText(filled(t.proposal.text, { name: OLENA.name }));
    await expect(proposals.first()).toContainText(/82\s?%/);
    await expectAccessible(page);
    const names = { name: OLENA.name, speaker: "S2" };
    await panel.getByRole("button", { name: filled(t.proposal.use_of, names) }).focus();
    await page.keyboard.press("Enter");
    await expect(menuOf(page, locale, OLENA.name)).toBeFocused();
    await expect(panel.getByRole("status")).toHaveText(filled(t.proposal.used, names));
    await expect(proposals).toHaveCount(1);
    await expect
      .poll(() => world.asked.flatMap(({ edits }) => edits.map(({ op }) => op)))
      .toEqual([{ kind: "rename_speaker", speaker: "SPEAKER_1", name: OLENA.name }]);
    await expect(page.getByTestId("transcript-text")).toContainText(OLENA.name);
    if (width === 1280) {
      // The name is gone, and it is proposed again.
      await page.getByRole("button", { name: textsOf(locale, "editor").toolbar.undo }).click();
      await expect(proposals).toHaveCount(2);
    }

    const other = { name: TARAS.name, speaker: "S3" };
    await panel.getByRole("button", { name: filled(t.proposal.decline_of, other) }).click();
    await expect(proposals.filter({ hasText: TARAS.name })).toHaveCount(0);
    await expect(menuOf(page, locale, "S3")).toBeFocused();
    expect(voices.asked).toEqual([{ method: "DELETE", path: "/SPEAKER_2?version=1", body: null }]);
  });

  test(`speakers without a name are compared: ${locale}`, async ({ page, world, voices }) => {
    voices.voices = [OLENA];
    const panel = await open({ page, world, locale, theme, width });
    await expect(panel).toContainText(t.compare.offer);
    await expectAccessible(page);
    const button = panel.getByRole("button", { name: t.compare.button });
    voices.refusal = { code: "recording_missing", status: 409 };
    await button.click();
    await expect(panel).toContainText(textsOf(locale, "problems").codes.recording_missing);
    await panel.getByRole("button", { name: textsOf(locale, "common").actions.try_again }).press("Enter");
    await expect(panel.getByText(t.compare.looking).first()).toBeVisible();
    voices.text = { ...voices.text, looking: false, error: "recording_missing" };
    await expect(panel).toContainText(t.failure.recording_missing);
    await panel.getByRole("button", { name: textsOf(locale, "common").actions.try_again }).press("Enter");
    await expect(panel.getByText(t.compare.looking).first()).toBeVisible();
    voices.text = { ...voices.text, looking: false, compared: true };
    await expect(panel.getByText(t.compare.nothing).first()).toBeVisible();
    await expect(panel.getByRole("status")).toHaveText(t.compare.nothing);
    await expect(button).toHaveCount(0);
    expect(voices.asked.map(({ path, body }) => [path, body])).toEqual(Array(3).fill(["/compare", { version: 1 }]));
  });

  built(`voices in the settings: ${locale}`, async ({ page, origin }) => {
    const voices = new VoiceWorld();
    voices.voices = [
      OLENA,
      voice("v-olena-2", "Олена К.", { state: "failed", error: "too_little_speech", seconds: 0, recordings: 0 }),
      voice("v-petro", "Петро", { state: "learning", seconds: 0, recordings: 0 }),
      TARAS,
    ];
    const section = await openSettings(page, origin, { locale, theme, width }, voices);
    const { actions } = textsOf(locale, "common");
    const made_from = locale === "uk" ? textsOf("uk", "voices").list.made_from_few : t.list.made_from_other;
    const more = (name: string) => section.getByRole("button", { name: filled(t.list.more, { name }) });
    const rows = section.getByRole("listitem");
    await expect(rows).toHaveCount(4);
    await expect(rows.first()).toContainText(
      filled(made_from, { count: "2", span: locale === "uk" ? "12\u00A0с" : "12\u00A0s" }),
    );
    await expect(rows.nth(1)).toContainText(t.failure.too_little_speech);
    await expect(rows.nth(2)).toContainText(t.list.learning);
    voices.voices = voices.voices.map((one) => ({ ...one, state: "ready", error: null, recordings: 1, seconds: 9 }));
    await expect(section.getByText(t.list.learning)).toHaveCount(0);
    await expectAccessible(page);

    await more("Петро").press("Enter");
    await page.getByRole("menuitem", { name: t.list.rename }).press("Enter");
    const name = section.getByRole("textbox", { name: filled(t.list.rename_label, { name: "Петро" }) });
    await expect(name).toBeFocused();
    await expectAccessible(page);
    await name.fill(" ");
    await page.keyboard.press("Enter");
    await expect(name).toHaveAccessibleDescription(new RegExp(violations.speaker_name_required));
    await name.fill("Петро Гриценко");
    await page.keyboard.press("Enter");
    await expect(more("Петро Гриценко")).toBeFocused();
    await more("Петро Гриценко").press("Enter");
    await page.getByRole("menuitem", { name: t.list.rename }).press("Enter");
    await expect(section.getByRole("textbox")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(more("Петро Гриценко")).toBeFocused();

    await more("Олена К.").click();
    await page.getByRole("menuitem", { name: t.list.merge }).click();
    const dialog = page.getByRole("dialog", { name: t.merge.title });
    await dialog.getByRole("button", { name: t.merge.submit }).click();
    await expect(dialog.getByRole("combobox")).toHaveAccessibleDescription(t.merge.choose);
    await expect(dialog.getByRole("option")).toHaveText([t.merge.choose, OLENA.name, "Петро Гриценко", "Тарас"]);
    await expectAccessible(page);
    await dialog.getByRole("combobox").selectOption(OLENA.name);
    await dialog.getByRole("button", { name: t.merge.submit }).click();
    await expect(rows).toHaveCount(3);
    await expect(section.getByRole("heading", { name: t.list.title })).toBeFocused();

    const question = page.getByRole("alertdialog", { name: filled(t.delete.question, { name: "Тарас" }) });
    const ask = async () => {
      await more("Тарас").click();
      await page.getByRole("menuitem", { name: actions.delete }).click();
    };
    await ask();
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(more("Тарас")).toBeFocused();
    await ask();
    await question.getByRole("button", { name: actions.delete }).click();
    await expect(rows).toHaveCount(2);
    await expect(section.getByRole("heading", { name: t.list.title })).toBeFocused();
    expect(voices.asked.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["PATCH", "/v-petro", { name: "Петро Гриценко" }],
      ["POST", "/v-olena-2/merge", { into: OLENA.id }],
      ["DELETE", "/v-taras", null],
    ]);

    const downloading = page.waitForEvent("download");
    await section.getByRole("button", { name: t.list.export }).click();
    expect((await downloading).suggestedFilename()).toBe("voices.json");
    const { inner, scroll } = await page.evaluate(() => ({
      inner: document.documentElement.clientWidth,
      scroll: document.documentElement.scrollWidth,
    }));
    expect(scroll).toBe(inner);
  });

  built(`no voices in the settings, and one alone: ${locale}`, async ({ page, origin }) => {
    const voices = new VoiceWorld();
    const section = await openSettings(page, origin, { locale, theme, width }, voices);
    await expect(section).toContainText(t.list.empty);
    await expect(section.getByRole("button")).toHaveCount(0);
    await expectAccessible(page);
    voices.voices = [TARAS];
    await page.reload();
    await section.getByRole("button", { name: filled(t.list.more, { name: "Тарас" }) }).click();
    await expect(page.getByRole("menuitem", { name: t.list.rename })).toBeVisible();
    await expect(page.getByRole("menuitem", { name: t.list.merge })).toHaveCount(0);
  });
}

/** Opens the section of the settings. */
async function openSettings(page: Page, origin: string, look: Look, voices: VoiceWorld) {
  await mockApi(page, { signedIn: true, jobs: [] });
  await voices.mock(page);
  await page.setViewportSize({ width: look.width, height: 844 });
  await signIn(page.context(), sessionOf({ signedIn: true, jobs: [] }), look);
  await page.goto(`${origin}/settings?tab=preferences`);
  return page.getByRole("region", { name: textsOf(look.locale, "voices").list.title });
}

test("another user's text, opened by an administrator, has none", async ({ page, world, voices }) => {
  const owner = { email: "another@example.org", fullname: null };
  world.also = (_request, response, of) => {
    if (of !== "") return false;
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...world.job, owner }));
    return true;
  };
  await open({ page, world });
  await expect(page.getByText(untilParameter(textsOf("uk", "transcript").foreign.title))).toBeVisible();
  expect(voices.requests).toBe(0);
});
