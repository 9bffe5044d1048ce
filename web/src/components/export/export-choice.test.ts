// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { allowedFormat, keepExportChoice, readExportChoice } from "./export-choice";
import { usualChoice } from "./subtitle-choice";

beforeEach(() => localStorage.clear());

it("is what was chosen last, but for the times, which are the transcription's", () => {
  const limits = { ...usualChoice(), guide: "bbc" as const };
  keepExportChoice({ format: "srt", speakers: false, timestamps: true, words: true, limits });
  expect(readExportChoice()).toEqual({ format: "srt", speakers: false, timestamps: null, words: null, limits });
});

it.each(["", "null", "no json", '{"format":"exe","speakers":"yes","limits":{"guide":"x","figures":{"max_cps":5}}}'])(
  "begins anew with %j",
  (kept) => {
    localStorage.setItem("slovo.export", kept);
    const limits = usualChoice();
    expect(readExportChoice()).toEqual({ format: "docx", speakers: true, timestamps: null, words: null, limits });
  },
);

it("keeps to what the plan has", () => {
  expect(allowedFormat("docx", ["txt", "vtt"])).toBe("txt");
  expect(allowedFormat("vtt", ["txt", "vtt"])).toBe("vtt");
  expect(allowedFormat("docx", undefined)).toBe("docx");
});
