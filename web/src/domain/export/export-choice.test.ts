// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { allowedFormat, layoutOf, offeredLayouts, readExportChoice, requestedLayout, storeExportChoice } from "./export-choice";
import { defaultChoice } from "./subtitle-choice";

beforeEach(() => localStorage.clear());

it("restores the last choice, except times, which depend on the transcription", () => {
  const limits = { ...defaultChoice(), guide: "bbc" as const };
  storeExportChoice({ format: "srt", speakers: false, timestamps: true, words: true, layout: "numbered", limits });
  const stored = { format: "srt", speakers: false, timestamps: null, words: null, layout: "numbered", limits };
  expect(readExportChoice()).toEqual(stored);
});

it("remembers the use of the user's own template", () => {
  storeExportChoice({ ...readExportChoice(), template: true });
  expect(readExportChoice().template).toBe(true);
  storeExportChoice({ ...readExportChoice(), template: false });
  expect(readExportChoice().template).toBeUndefined();
});

it.each([
  "",
  "null",
  "no json",
  '{"format":"exe","speakers":"yes","layout":"circle","limits":{"guide":"x","figures":{"max_cps":5}}}',
])("uses the defaults for %j", (stored) => {
  localStorage.setItem("slovo.export", stored);
  const limits = defaultChoice();
  const usual = { format: "docx", speakers: true, timestamps: null, words: null, layout: "paragraphs", limits };
  expect(readExportChoice()).toEqual(usual);
});

it("selects only formats of the plan", () => {
  expect(allowedFormat("docx", ["txt", "vtt"])).toBe("txt");
  expect(allowedFormat("vtt", ["txt", "vtt"])).toBe("vtt");
  expect(allowedFormat("docx", undefined)).toBe("docx");
});

it("uses a layout supported by the format, and returns to the chosen one", () => {
  const choice = { ...readExportChoice(), layout: "numbered" as const };
  expect(offeredLayouts("md", true)).toEqual(["paragraphs", "questions", "table"]);
  expect(layoutOf({ ...choice, format: "md" }, true)).toBe("paragraphs");
  expect(layoutOf({ ...choice, format: "pdf" }, true)).toBe("numbered");
  expect(requestedLayout({ ...choice, format: "srt" }, true, null)).toEqual({});
  expect(requestedLayout({ ...choice, format: "txt" }, true, "SPEAKER_1")).toEqual({ layout: "numbered" });
});

it("offers questions and answers only with speakers", () => {
  const choice = { ...readExportChoice(), layout: "questions" as const };
  expect(offeredLayouts("docx", false)).not.toContain("questions");
  expect(requestedLayout(choice, false, "SPEAKER_1")).toEqual({});
  expect(requestedLayout(choice, true, "SPEAKER_1")).toEqual({ layout: "questions", asks: "SPEAKER_1" });
  expect(requestedLayout(choice, true, null)).toEqual({ layout: "questions" });
});
