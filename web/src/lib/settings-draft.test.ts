import { afterEach, expect, it } from "vitest";
import { forgetDrafts, keepDraft, keepQueued, readDraft, readQueued } from "./settings-draft";

const KEY = "slovo.settings";

afterEach(() => localStorage.clear());

it("begins with the defaults of the rules", () => {
  expect(readDraft("ann")).toMatchObject({ transcription_type: "full", language_code: "uk", sentence_level_timestamps: true });
  expect(readQueued("ann")).toBe(false);
});

it("keeps what was set, and forgets it", () => {
  const changed = { ...readDraft("ann"), language_code: "pl", custom_vocabulary: "Slovo" };
  keepDraft("ann", changed);
  keepQueued("ann", true);
  expect(readDraft("ann")).toEqual(changed);
  expect(readQueued("ann")).toBe(true);
  forgetDrafts();
  expect(readDraft("ann").language_code).toBe("uk");
  expect(readQueued("ann")).toBe(false);
});

it("does not show one account's draft to another", () => {
  keepDraft("ann", { ...readDraft("ann"), custom_vocabulary: "a secret word" });
  keepQueued("ann", true);
  expect(readDraft("bob").custom_vocabulary).toBe("");
  expect(readQueued("bob")).toBe(false);
  keepDraft("bob", { ...readDraft("bob"), language_code: "pl" });
  expect(readDraft("ann").custom_vocabulary).toBe("a secret word");
});

it.each([
  ["not JSON", "{"],
  ["another thing", '{"ann":{"settings":"full"}}'],
  ["nothing at all", "null"],
  ["the draft of an older version", '{"language_code":"pl"}'],
  ["a language that there is not", '{"ann":{"settings":{"language_code":"xx"}}}'],
  ["a mode that cannot do it", '{"ann":{"settings":{"transcription_type":"lite","language_code":"uk"}}}'],
  ["a field that there is not", '{"ann":{"settings":{"speed":"fast"}}}'],
])("takes the defaults in place of %s", (_, stored) => {
  const defaults = readDraft("ann");
  localStorage.setItem(KEY, stored);
  expect(readDraft("ann")).toEqual(defaults);
});

it("fills in what an older version did not know", () => {
  localStorage.setItem(KEY, '{"ann":{"settings":{"language_code":"de"}}}');
  expect(readDraft("ann")).toMatchObject({ language_code: "de", custom_vocabulary: "" });
});

it("begins with what the owner prefers where there is no draft", () => {
  const preferred = { ...readDraft("ann"), language_code: "pl" };
  expect(readDraft("ann", preferred)).toEqual(preferred);
  keepDraft("ann", { ...preferred, custom_vocabulary: "Slovo" }, preferred);
  expect(readDraft("ann", preferred)).toMatchObject({ language_code: "pl", custom_vocabulary: "Slovo" });
});

it("begins anew when the owner has come to prefer something else", () => {
  const before = { ...readDraft("ann"), language_code: "pl" };
  keepDraft("ann", { ...before, custom_vocabulary: "Slovo" }, before);
  const now = { ...before, language_code: "de" };
  expect(readDraft("ann", now)).toEqual(now);
  // A job that waits for its upload goes as it was sent, and so does a page that could not learn what is preferred.
  expect(readDraft("ann")).toMatchObject({ language_code: "pl", custom_vocabulary: "Slovo" });
});

it("takes the defaults in place of a preference that the rules do not allow", () => {
  const defaults = readDraft("ann");
  expect(readDraft("ann", { ...defaults, language_code: "xx" })).toEqual(defaults);
});
