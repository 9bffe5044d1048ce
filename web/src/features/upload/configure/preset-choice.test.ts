import { expect, it } from "vitest";
import type { Preset } from "@/api/presets";
import type { Settings } from "@/components/settings-fields";
import type { Choice } from "@/lib/settings-draft";
import { defaultSettings } from "@/rules";
import { isPresetChanged, withoutPreset, withPreset, withPresetRestored } from "./preset-choice";

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
  usage_count: 0,
  is_system: true,
  is_own: false,
  created_at: "2026-11-01T08:00:00Z",
  updated_at: "2026-11-01T08:00:00Z",
  ...change,
});
const applied = (choice: Choice, change?: Partial<Preset>): Choice => {
  const next = withPreset(choice, preset(change));
  if (!next) throw new Error("The preset was refused");
  return next;
};

it("applies type, language and settings, and no address", () => {
  const { settings: now, preset: chosen } = applied(manual, { transcription_type: "lite", language_code: "en", settings });
  expect(now).toMatchObject({ transcription_type: "lite", language_code: "en", url: "" });
  expect(chosen).toMatchObject({ id: "p1", name: "Протокол", name_en: "Minutes" });
  expect(applied(manual).settings).toMatchObject({ language_code: "uk", summarize: 200, url: "" });
});

it("goes back to what was set by hand, also after another preset", () => {
  const second = applied(applied(manual), { id: "p2", settings: { ...settings, srt: true } });
  expect(second.preset?.id).toBe("p2");
  expect(withoutPreset(second)).toEqual(manual);
});

it("knows a change of any field, and that it was taken back", () => {
  const choice = applied(manual);
  expect(isPresetChanged(choice)).toBe(false);
  const changed = { ...choice, settings: { ...choice.settings, classification_labels: ["скарга"] } };
  expect(isPresetChanged(changed)).toBe(true);
  expect(isPresetChanged({ ...choice, settings: { ...choice.settings, classification_labels: [] } })).toBe(false);
  expect(withPresetRestored(changed)).toEqual(choice);
  expect(isPresetChanged(manual)).toBe(false);
});

it("gives Lite English, and refuses what the rules do not allow", () => {
  expect(applied(manual, { transcription_type: "lite", language_code: "uk", settings }).settings.language_code).toBe("en");
  expect(withPreset(manual, preset({ settings: { ...settings, summarize: 5000 } }))).toBeNull();
});
