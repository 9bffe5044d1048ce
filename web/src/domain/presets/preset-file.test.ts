import { describe, expect, it } from "vitest";
import type { TranscriptionSettings } from "@/api";
import type { Preset } from "@/api/presets";
import { defaultSettings, parsePresetImport } from "@/rules";
import { exportName, exportText } from "./preset-file";

const settings = (change: Partial<TranscriptionSettings>) => ({ ...defaultSettings(), ...change }) as TranscriptionSettings;

const FULL: Preset = {
  id: "01981d3e-7c2a-7aa0-9d61-000000000001",
  preset_id: "sales_call_crm_v1",
  name: "Дзвінок із клієнтом для CRM",
  name_en: "Sales call for CRM",
  description: "Для відділів продажу.",
  description_en: "For sales teams.",
  category: "business",
  is_public: true,
  is_default: true,
  transcription_type: "full",
  language_code: "uk",
  settings: settings({
    diarization: true,
    overall_classification: true,
    classification_labels: ["Перемовини про\u00a0ціну", "З’ясування потреб"],
    summarize: 100,
    llm_translation: "english, french",
    custom_prompt: '# Картка\n«Цитата» "лапки" \\ 😀\n',
  }),
  settings_en: null,
  quick_start: null,
  usage_count: 12,
  is_system: true,
  is_own: false,
  created_at: "2026-11-20T14:05:00Z",
  updated_at: "2026-11-20T14:05:00Z",
};
const LITE: Preset = {
  ...FULL,
  preset_id: "lite",
  name: "Lite",
  description: null,
  is_public: false,
  is_default: false,
  transcription_type: "lite",
  language_code: "en",
  settings: settings({ transcription_type: "lite", language_code: "en", custom_vocabulary: "Slovo, tus" }),
};

const imported = ({ preset_id, name, description, category, is_public, is_default, settings }: Preset) => ({
  preset_id,
  name,
  description: description ?? "",
  category,
  is_public,
  is_default,
  settings,
});

describe("an exported preset", () => {
  it("is unchanged after an import", () => {
    expect(parsePresetImport(exportText(FULL))).toEqual({ presets: [imported(FULL)], violations: [] });
  });

  it("is unchanged after an import with others", () => {
    expect(parsePresetImport(exportText([FULL, LITE]))).toEqual({ presets: [imported(FULL), imported(LITE)], violations: [] });
  });

  it("does not contain its owner, its usage or a recording", () => {
    const text = exportText({ ...FULL, settings: { ...FULL.settings, url: "https://example.org/secret.mp3" } });
    expect(text).not.toMatch(/secret|usage_count|01981d3e|is_own/);
  });
});

it.each([
  ["sales_call_crm_v1", "sales_call_crm_v1.json"],
  ["../../etc/passwd", "_etc_passwd.json"],
  ["протокол наради", "протокол_наради.json"],
  ["con:<>|?*", "con_.json"],
  ["", "preset.json"],
  ["a".repeat(200), `${"a".repeat(80)}.json`],
])("has a valid file name for %s", (preset_id, name) => {
  expect(exportName({ preset_id })).toBe(name);
});
