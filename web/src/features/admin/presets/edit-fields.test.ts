import { expect, it } from "vitest";
import { choiceRows, settingRows } from "@/domain/settings";
import { defaultSettings, validatePreset } from "@/rules";
import { choicesOn, fieldOf, tabOf } from "./edit-fields";

it("finds the tab of a violation", () => {
  const settings = {
    ...defaultSettings(),
    transcription_type: "lite",
    language_code: "uk",
    summarize: -1,
    srt_translation: "klingon",
    classification_labels: [" "],
  } as const;
  const form = { name: " ", description: "", category: "media", is_public: true, is_default: false, settings } as const;
  const fields = validatePreset(form as unknown as Parameters<typeof validatePreset>[0]).map(({ field }) => [
    fieldOf(field),
    tabOf(field),
  ]);
  expect(fields).toContainEqual(["name", "basic"]);
  expect(fields).toContainEqual(["language_code", "basic"]);
  expect(fields).toContainEqual(["summarize", "transcription"]);
  expect(fields).toContainEqual(["srt_translation", "advanced"]);
  // Fields that the dialog does not show have no tab.
  expect(fields).toContainEqual(["classification_labels", null]);
});

it("shows all settings except these", () => {
  expect(choicesOn("advanced")).toEqual(choiceRows("advanced"));
  const hidden = settingRows().filter(({ name, tab }) => tab !== null && tabOf(name) === null);
  expect(hidden.map(({ name }) => name)).toEqual([
    "speakers",
    "sentence_level_timestamps",
    "return_as_file",
    "overall_sentiment_analysis",
    "overall_classification",
    "multichannel",
    "translate",
    "classification_labels",
  ]);
  expect(tabOf("settings.url")).toBeNull();
});
