import { afterEach, describe, expect, it } from "vitest";
import type { TranscriptionSettings } from "@/api";
import type { Preset } from "@/api/presets";
import { defaultSettings } from "@/rules";
import { APPLIED_PRESET_KEY, storeAppliedPreset, takeAppliedPreset } from "./applied-preset";

const SETTINGS = { ...defaultSettings(), diarization: true, summarize: 150 } as TranscriptionSettings;
const PRESET: Preset = {
  id: "01981d3e-7c2a-7aa0-9d61-000000000001",
  preset_id: "meeting_minutes_v1",
  name: "Протокол наради",
  name_en: "Meeting minutes",
  description: null,
  description_en: null,
  category: "business",
  is_public: true,
  is_default: true,
  transcription_type: "full",
  language_code: "uk",
  settings: SETTINGS,
  settings_en: null,
  quick_start: null,
  usage_count: 12,
  is_system: true,
  is_own: false,
  created_at: "2026-11-20T14:05:00Z",
  updated_at: "2026-11-20T14:05:00Z",
};

const put = (value: unknown) => localStorage.setItem(APPLIED_PRESET_KEY, JSON.stringify(value));
const changed = (change: object) => put({ version: 1, owner: "ann", preset: { ...PRESET, ...change } });

afterEach(() => localStorage.clear());

describe("the preset selected for the upload page", () => {
  it("is applied once", () => {
    storeAppliedPreset(PRESET, "ann");
    expect(takeAppliedPreset("ann")).toEqual(PRESET);
    expect(takeAppliedPreset("ann")).toBeNull();
    expect(localStorage.getItem(APPLIED_PRESET_KEY)).toBeNull();
  });

  it("is the last one selected", () => {
    storeAppliedPreset(PRESET, "ann");
    storeAppliedPreset({ ...PRESET, name: "Співбесіда" }, "ann");
    expect(takeAppliedPreset("ann")?.name).toBe("Співбесіда");
  });

  it("is not applied for another user, and is kept for its owner", () => {
    storeAppliedPreset(PRESET, "ann");
    expect(takeAppliedPreset("bob")).toBeNull();
    expect(takeAppliedPreset(null)).toBeNull();
    expect(takeAppliedPreset("ann")).toEqual(PRESET);
  });

  it.each([
    ["nothing", null],
    ["a text", "full"],
    ["a list", [PRESET]],
    ["another version", { version: 2, owner: "ann", preset: PRESET }],
    ["an entry without owner", { version: 1, owner: null, preset: PRESET }],
    ["no preset", { version: 1, owner: "ann", preset: null }],
    ["half a preset", { version: 1, owner: "ann", preset: { id: PRESET.id, settings: SETTINGS } }],
  ])("ignores and removes %s", (_, value) => {
    put(value);
    expect(takeAppliedPreset("ann")).toBeNull();
    expect(localStorage.getItem(APPLIED_PRESET_KEY)).toBeNull();
  });

  it("ignores invalid JSON", () => {
    localStorage.setItem(APPLIED_PRESET_KEY, "{");
    expect(takeAppliedPreset("ann")).toBeNull();
  });

  it.each([
    ["a name that is not a string", { name: { toString: "x" } }],
    ["an unknown category", { category: "<b>" }],
    ["an unknown mode", { transcription_type: "ultra" }],
    ["settings that are an array", { settings: [] }],
    ["a setting of a wrong type", { settings: { ...SETTINGS, summarize: "many" } }],
    ["a list with wrong elements", { settings: { ...SETTINGS, classification_labels: [{}] } }],
    ["settings that the rules refuse", { settings: { ...SETTINGS, summarize: 100_000 } }],
    ["an unknown language", { settings: { ...SETTINGS, language_code: "xx" } }],
  ])("ignores %s", (_, change) => {
    changed(change);
    expect(takeAppliedPreset("ann")).toBeNull();
  });

  it("drops unknown fields and the recording's URL", () => {
    changed({ __proto__: { admin: true }, extra: 1, settings: { ...SETTINGS, url: "https://example.org/a.mp3", speed: "fast" } });
    expect(takeAppliedPreset("ann")).toEqual(PRESET);
  });
});
