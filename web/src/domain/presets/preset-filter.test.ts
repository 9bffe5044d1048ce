import { describe, expect, it } from "vitest";
import type { Preset } from "@/api/presets";
import { matches, parseFilter } from "./preset-filter";

const parse = (query: string) => parseFilter(new URLSearchParams(query));
const preset = (name: string, change: Partial<Preset> = {}) =>
  ({ name, name_en: null, category: "media", transcription_type: "full", ...change }) as Preset;

describe("the filter in the URL", () => {
  it("reads search, category and mode", () => {
    expect(parse("q=+нарада+&category=legal_medical&mode=lite")).toEqual({
      q: "нарада",
      category: "legal_medical",
      mode: "lite",
    });
  });

  it("ignores blank and unknown values", () => {
    expect(parse("q=++&category=constructor&mode=FULL")).toEqual({});
    expect(parse("")).toEqual({});
  });
});

describe("the search by name", () => {
  it.each([
    ["ПРОТОКОЛ", "Протокол наради"],
    ["пам'ятка", "Пам’ятка для пацієнта"],
    ["памʼятка", "Пам’ятка для пацієнта"],
    ["пам`ятка для", "Пам’ятка для\u00a0пацієнта"],
    ["для\u00a0пацієнта", "Пам’ятка для пацієнта"],
    ["їжак", "Їжак"],
  ])("finds by %s", (q, name) => {
    expect(matches(preset(name), { q })).toBe(true);
  });

  it("matches the English name, too, but no other field", () => {
    const minutes = preset("Протокол наради", { name_en: "Meeting minutes", description: "Для команд" });
    expect(matches(minutes, { q: "minutes" })).toBe(true);
    expect(matches(minutes, { q: "команд" })).toBe(false);
  });

  it("treats special characters literally", () => {
    expect(matches(preset("Протокол наради"), { q: "." })).toBe(false);
    expect(matches(preset("100 % (чернетка"), { q: "% (" })).toBe(true);
  });
});

it("combines search, category and mode", () => {
  const candidate = preset("Протокол", { category: "business", transcription_type: "lite" });
  expect(matches(candidate, { q: "прот", category: "business", mode: "lite" })).toBe(true);
  expect(matches(candidate, { q: "прот", category: "business", mode: "full" })).toBe(false);
  expect(matches(candidate, { category: "media" })).toBe(false);
  expect(matches(candidate, {})).toBe(true);
});
