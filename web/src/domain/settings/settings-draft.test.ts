import { afterEach, expect, it } from "vitest";
import {
  endDraft,
  forgetDrafts,
  readChoice,
  readDraft,
  readLast,
  sameSettings,
  startingSettings,
  storeChoice,
  storeDraft,
  storeLast,
  withDefaultLanguages,
} from "./settings-draft";

const KEY = "slovo.settings";

afterEach(() => localStorage.clear());

it("starts with the defaults of the rules", () => {
  expect(readDraft("ann")).toMatchObject({ transcription_type: "full", language_code: "uk", sentence_level_timestamps: true });
});

it("stores settings, and deletes them", () => {
  const changed = { ...readDraft("ann"), language_code: "pl", custom_vocabulary: "Slovo" };
  storeDraft("ann", changed);
  expect(readDraft("ann")).toEqual(changed);
  forgetDrafts();
  expect(readDraft("ann").language_code).toBe("uk");
});

it("does not show one account's draft to another", () => {
  storeDraft("ann", { ...readDraft("ann"), custom_vocabulary: "a secret word" });
  expect(readDraft("bob").custom_vocabulary).toBe("");
  storeDraft("bob", { ...readDraft("bob"), language_code: "pl" });
  expect(readDraft("ann").custom_vocabulary).toBe("a secret word");
});

it.each([
  ["not JSON", "{"],
  ["another structure", '{"ann":{"settings":"full"}}'],
  ["null", "null"],
  ["the draft of an older version", '{"language_code":"pl"}'],
  ["an unknown language", '{"ann":{"settings":{"language_code":"xx"}}}'],
  ["a mode that does not support them", '{"ann":{"settings":{"transcription_type":"lite","language_code":"uk"}}}'],
  ["an unknown field", '{"ann":{"settings":{"speed":"fast"}}}'],
])("uses the defaults instead of %s", (_, stored) => {
  const defaults = readDraft("ann");
  localStorage.setItem(KEY, stored);
  expect(readDraft("ann")).toEqual(defaults);
});

it("adds defaults for settings that an older version did not have", () => {
  localStorage.setItem(KEY, '{"ann":{"settings":{"language_code":"de"}}}');
  expect(readDraft("ann")).toMatchObject({ language_code: "de", custom_vocabulary: "" });
});

it("starts with the owner's preferences without a draft", () => {
  const preferred = { ...readDraft("ann"), language_code: "pl" };
  expect(readDraft("ann", preferred)).toEqual(preferred);
  storeDraft("ann", { ...preferred, custom_vocabulary: "Slovo" }, preferred);
  expect(readDraft("ann", preferred)).toMatchObject({ language_code: "pl", custom_vocabulary: "Slovo" });
});

it("discards the draft when the owner's preferences have changed", () => {
  const before = { ...readDraft("ann"), language_code: "pl" };
  storeDraft("ann", { ...before, custom_vocabulary: "Slovo" }, before);
  const after = { ...before, language_code: "de" };
  expect(readDraft("ann", after)).toEqual(after);
  // Queued jobs keep their settings, and so do drafts while the preferences are unknown.
  expect(readDraft("ann")).toMatchObject({ language_code: "pl", custom_vocabulary: "Slovo" });
});

it("uses the defaults instead of preferences that the rules do not allow", () => {
  const defaults = readDraft("ann");
  expect(readDraft("ann", { ...defaults, language_code: "xx" })).toEqual(defaults);
});

it("stores the selected preset and the manual settings before it", () => {
  const manual = { ...readDraft("ann"), language_code: "de" };
  const settings = { ...readDraft("ann"), summarize: 200 };
  const choice = { settings, manual, preset: { id: "p1", name: "Протокол", name_en: null, settings } };
  storeChoice("ann", choice);
  expect(readChoice("ann")).toEqual(choice);
  expect(readDraft("ann")).toEqual(settings);
  expect(readChoice("bob").preset).toBeNull();
  localStorage.setItem(KEY, JSON.stringify({ ann: { settings, preset: { id: 7 }, manual: "all" } }));
  expect(readChoice("ann")).toEqual({ settings, preset: null, manual: null });
});

it("does not store the URL, which may contain a secret", () => {
  const settings = { ...readDraft("ann"), url: "https://example.org/a.mp3?key=secret" };
  storeChoice("ann", { settings, manual: settings, preset: null });
  storeDraft("bob", settings);
  expect(localStorage.getItem(KEY)).not.toContain("secret");
  expect(readDraft("ann").url).toBe("");
});

it("stores values that are still too long", () => {
  const custom_prompt = "довго ".repeat(1_000);
  storeDraft("ann", { ...readDraft("ann"), custom_prompt });
  expect(readDraft("ann").custom_prompt).toBe(custom_prompt);
});

it("starts with the preferences again when jobs were created from the draft", () => {
  const preferred = { ...readDraft("ann"), language_code: "pl" };
  const settings = { ...preferred, summarize: 200 };
  const choice = { settings, preset: { id: "p1", name: "Протокол", name_en: null, settings }, manual: preferred };
  storeChoice("ann", choice, preferred);
  storeLast("ann", choice);
  expect(readChoice("ann", preferred)).toEqual(choice);
  endDraft("ann");
  expect(readChoice("ann", preferred)).toEqual({ settings: startingSettings(preferred), preset: null, manual: null });
  expect(readLast("ann")).toEqual({ ...choice, manual: null });
  expect(readLast("bob")).toBeNull();
  forgetDrafts();
  expect(readLast("ann")).toBeNull();
});

it("compares settings by value, ignoring the order of fields and the URL", () => {
  const original = startingSettings();
  const turned = Object.fromEntries(Object.entries({ ...original, url: "https://example.org" }).reverse()) as typeof original;
  expect(sameSettings(original, turned)).toBe(true);
  expect(sameSettings(original, { ...original, srt: true })).toBe(false);
});

it("stores a classification without labels, which may be incomplete input", () => {
  storeDraft("ann", { ...readDraft("ann"), overall_classification: true });
  expect(readDraft("ann").overall_classification).toBe(true);
});

it("takes the languages of the server if the account has none", () => {
  const preferred = readDraft("ann");
  const server = { languages: ["uk", "en"] };
  expect(withDefaultLanguages(preferred, server)?.languages).toEqual(["uk", "en"]);
  const own = { ...preferred, languages: ["pl"] };
  expect(withDefaultLanguages(own, server)).toBe(own);
  expect(withDefaultLanguages(preferred, { languages: [] })).toBe(preferred);
  expect(withDefaultLanguages(preferred, undefined)).toBe(preferred);
  expect(withDefaultLanguages(undefined, server)).toBeUndefined();
});

it("keeps a draft while the server's languages are unknown or others, but not for other preferences", () => {
  const account = readDraft("ann");
  const preferred = withDefaultLanguages(account, { languages: ["uk", "en"] });
  const choice = { settings: { ...account, custom_vocabulary: "Slovo" }, preset: null, manual: null };
  storeChoice("ann", choice, preferred);
  expect(readChoice("ann", withDefaultLanguages(account, undefined))).toEqual(choice);
  expect(readChoice("ann", withDefaultLanguages(account, { languages: ["pl"] }))).toEqual(choice);
  expect(readDraft("ann", { ...account, language_code: "pl" })).toMatchObject({ language_code: "pl", custom_vocabulary: "" });
});
