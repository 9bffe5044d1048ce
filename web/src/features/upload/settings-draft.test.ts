import { afterEach, expect, it } from "vitest";
import { forgetDraft, keepDraft, readDraft } from "./settings-draft";

const KEY = "slovo.settings";

afterEach(() => localStorage.clear());

it("begins with the defaults of the rules", () => {
  expect(readDraft()).toMatchObject({ transcription_type: "full", language_code: "uk", sentence_level_timestamps: true });
});

it("keeps what was set, and forgets it", () => {
  const changed = { ...readDraft(), language_code: "pl", custom_vocabulary: "Slovo" };
  keepDraft(changed);
  expect(readDraft()).toEqual(changed);
  forgetDraft();
  expect(readDraft().language_code).toBe("uk");
});

it.each([
  ["not JSON", "{"],
  ["another thing", '"full"'],
  ["a language that there is not", '{"language_code":"xx"}'],
  ["a mode that cannot do it", '{"transcription_type":"lite","language_code":"uk"}'],
  ["a field that there is not", '{"speed":"fast"}'],
])("takes the defaults in place of %s", (_, stored) => {
  const defaults = readDraft();
  localStorage.setItem(KEY, stored);
  expect(readDraft()).toEqual(defaults);
});

it("fills in what an older version did not know", () => {
  localStorage.setItem(KEY, '{"language_code":"de"}');
  expect(readDraft()).toMatchObject({ language_code: "de", custom_vocabulary: "" });
});
