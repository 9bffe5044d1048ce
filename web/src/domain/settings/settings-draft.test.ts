import { afterEach, expect, it } from "vitest";
import {
  endDraft,
  forgetDrafts,
  keepChoice,
  keepDraft,
  keepLast,
  readChoice,
  readDraft,
  readLast,
  sameSettings,
  startingSettings,
} from "./settings-draft";

const KEY = "slovo.settings";

afterEach(() => localStorage.clear());

it("begins with the defaults of the rules", () => {
  expect(readDraft("ann")).toMatchObject({ transcription_type: "full", language_code: "uk", sentence_level_timestamps: true });
});

it("keeps what was set, and forgets it", () => {
  const changed = { ...readDraft("ann"), language_code: "pl", custom_vocabulary: "Slovo" };
  keepDraft("ann", changed);
  expect(readDraft("ann")).toEqual(changed);
  forgetDrafts();
  expect(readDraft("ann").language_code).toBe("uk");
});

it("does not show one account's draft to another", () => {
  keepDraft("ann", { ...readDraft("ann"), custom_vocabulary: "a secret word" });
  expect(readDraft("bob").custom_vocabulary).toBe("");
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

it("keeps the preset in use and what was set by hand before it", () => {
  const manual = { ...readDraft("ann"), language_code: "de" };
  const settings = { ...readDraft("ann"), summarize: 200 };
  const choice = { settings, manual, preset: { id: "p1", name: "Протокол", name_en: null, settings } };
  keepChoice("ann", choice);
  expect(readChoice("ann")).toEqual(choice);
  expect(readDraft("ann")).toEqual(settings);
  expect(readChoice("bob").preset).toBeNull();
  localStorage.setItem(KEY, JSON.stringify({ ann: { settings, preset: { id: 7 }, manual: "all" } }));
  expect(readChoice("ann")).toEqual({ settings, preset: null, manual: null });
});

it("does not keep an address: it may carry a key", () => {
  const settings = { ...readDraft("ann"), url: "https://example.org/a.mp3?key=secret" };
  keepChoice("ann", { settings, manual: settings, preset: null });
  keepDraft("bob", settings);
  expect(localStorage.getItem(KEY)).not.toContain("secret");
  expect(readDraft("ann").url).toBe("");
});

it("loses no word of what is still too long", () => {
  const custom_prompt = "довго ".repeat(1_000);
  keepDraft("ann", { ...readDraft("ann"), custom_prompt });
  expect(readDraft("ann").custom_prompt).toBe(custom_prompt);
});

it("begins a new transcription with what is preferred once the last one has its jobs", () => {
  const preferred = { ...readDraft("ann"), language_code: "pl" };
  const settings = { ...preferred, summarize: 200 };
  const choice = { settings, preset: { id: "p1", name: "Протокол", name_en: null, settings }, manual: preferred };
  keepChoice("ann", choice, preferred);
  keepLast("ann", choice);
  expect(readChoice("ann", preferred)).toEqual(choice);
  endDraft("ann");
  expect(readChoice("ann", preferred)).toEqual({ settings: startingSettings(preferred), preset: null, manual: null });
  expect(readLast("ann")).toEqual({ ...choice, manual: null });
  expect(readLast("bob")).toBeNull();
  forgetDrafts();
  expect(readLast("ann")).toBeNull();
});

it("tells settings apart by what they ask for, whatever the order of their fields and the address", () => {
  const one = startingSettings();
  const turned = Object.fromEntries(Object.entries({ ...one, url: "https://example.org" }).reverse()) as typeof one;
  expect(sameSettings(one, turned)).toBe(true);
  expect(sameSettings(one, { ...one, srt: true })).toBe(false);
});

it("keeps a classification that has no labels yet: they are about to be written", () => {
  keepDraft("ann", { ...readDraft("ann"), overall_classification: true });
  expect(readDraft("ann").overall_classification).toBe(true);
});
