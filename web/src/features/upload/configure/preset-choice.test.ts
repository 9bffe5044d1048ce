import { expect, it } from "vitest";
import type { Preset } from "@/api/presets";
import type { Settings } from "@/domain/settings";
import type { Choice } from "@/domain/settings/settings-draft";
import { defaultSettings } from "@/rules";
import { isInUse, isPresetChanged, quickStarts, withoutPreset, withPreset, withPresetRestored } from "./preset-choice";

const settings = defaultSettings() as Settings;
const manual: Choice = { settings: { ...settings, language_code: "de" }, preset: null, manual: null };
const preset = (change: Partial<Preset> = {}): Preset => ({
  id: "p1",
  preset_id: "minutes_v1",
  name: "Протокол",
  name_en: "Minutes",
  description: null,
  description_en: null,
  category: "business",
  is_public: true,
  is_default: false,
  transcription_type: "full",
  language_code: "uk",
  settings: { ...settings, summarize: 200, url: "https://example.org/secret" },
  settings_en: null,
  quick_start: null,
  usage_count: 0,
  is_system: true,
  is_own: false,
  created_at: "2026-11-01T08:00:00Z",
  updated_at: "2026-11-01T08:00:00Z",
  ...change,
});
const applied = (choice: Choice, change?: Partial<Preset>): Choice => {
  const next = withPreset(choice, preset(change), "uk");
  if (!next) throw new Error("The preset was refused");
  return next;
};

it("applies type, language and settings, but no URL", () => {
  const { settings: now, preset: chosen } = applied(manual, { transcription_type: "lite", language_code: "en", settings });
  expect(now).toMatchObject({ transcription_type: "lite", language_code: "en", url: "" });
  expect(chosen).toMatchObject({ id: "p1", name: "Протокол", name_en: "Minutes" });
  expect(applied(manual).settings).toMatchObject({ language_code: "uk", summarize: 200, url: "" });
});

it("restores the manual settings, also after another preset", () => {
  const second = applied(applied(manual), { id: "p2", settings: { ...settings, srt: true } });
  expect(second.preset?.id).toBe("p2");
  expect(withoutPreset(second)).toEqual(manual);
});

it("detects a change of any field, and its reversal", () => {
  const choice = applied(manual);
  expect(isPresetChanged(choice)).toBe(false);
  const changed = { ...choice, settings: { ...choice.settings, classification_labels: ["скарга"] } };
  expect(isPresetChanged(changed)).toBe(true);
  expect(isPresetChanged({ ...choice, settings: { ...choice.settings, classification_labels: [] } })).toBe(false);
  expect(withPresetRestored(changed)).toEqual(choice);
  expect(isPresetChanged(manual)).toBe(false);
});

it("sets English for Lite, and refuses invalid settings", () => {
  expect(applied(manual, { transcription_type: "lite", language_code: "uk", settings }).settings.language_code).toBe("en");
  expect(withPreset(manual, preset({ settings: { ...settings, summarize: 5000 } }), "uk")).toBeNull();
});

it("applies the English prompt and language if the page is in English", () => {
  const settings_en = { ...settings, language_code: "en", custom_prompt: "Write minutes", summarize: 200 };
  const both = preset({ settings: { ...settings, custom_prompt: "Склади протокол", summarize: 200 }, settings_en });
  expect(withPreset(manual, both, "en")?.settings).toMatchObject({ language_code: "en", custom_prompt: "Write minutes" });
  expect(withPreset(manual, both, "uk")?.settings).toMatchObject({ language_code: "uk", custom_prompt: "Склади протокол" });
  // A preset without English texts is the same in both languages.
  expect(withPreset(manual, preset(), "en")?.settings).toMatchObject({ language_code: "uk" });
});

it("a tile is selected while its settings are unchanged", () => {
  const tile = preset();
  const choice = applied(manual);
  expect(isInUse(manual, tile)).toBe(false);
  expect(isInUse(choice, tile)).toBe(true);
  expect(isInUse(choice, { id: "p2" })).toBe(false);
  const changed = { ...choice, settings: { ...choice.settings, srt: true } };
  expect(isInUse(changed, tile)).toBe(false);
  expect(isInUse(withPresetRestored(changed), tile)).toBe(true);
  expect(isInUse(withoutPreset(choice), tile)).toBe(false);
});

it("shows the first four presets for a quick start as tiles", () => {
  const places = [null, 5, 2, 6, 1, null, 4];
  const presets = places.map((quick_start, position) => preset({ id: `p${position}`, quick_start }));
  // The third one was deleted.
  expect(quickStarts(presets).map(({ quick_start }) => quick_start)).toEqual([1, 2, 4, 5]);
  expect(quickStarts([preset()])).toEqual([]);
});

it("keeps the languages that may be spoken, unless the preset has its own", () => {
  const own: Choice = { ...manual, settings: { ...settings, languages: ["uk", "ru"] } };
  const withNone = applied(own);
  expect(withNone.settings.languages).toEqual(["uk", "ru"]);
  expect(isPresetChanged(withNone)).toBe(false);
  const withSome = applied(own, { settings: { ...settings, languages: ["de"] } });
  expect(withSome.settings.languages).toEqual(["de"]);
  expect(applied(withSome, { id: "p2" }).settings.languages, "not those of the preset before").toEqual(["uk", "ru"]);
});
