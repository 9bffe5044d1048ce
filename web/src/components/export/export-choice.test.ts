// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { allowedFormat, keepExportChoice, readExportChoice } from "./export-choice";

beforeEach(() => localStorage.clear());

it("is what was chosen last, but for the times, which are the transcription's", () => {
  keepExportChoice({ format: "srt", speakers: false, timestamps: true, words: true });
  expect(readExportChoice()).toEqual({ format: "srt", speakers: false, timestamps: null, words: null });
});

it.each(["", "null", "no json", '{"format":"exe","speakers":"yes"}'])("begins anew with %j", (kept) => {
  localStorage.setItem("slovo.export", kept);
  expect(readExportChoice()).toEqual({ format: "docx", speakers: true, timestamps: null, words: null });
});

it("keeps to what the plan has", () => {
  expect(allowedFormat("docx", ["txt", "vtt"])).toBe("txt");
  expect(allowedFormat("vtt", ["txt", "vtt"])).toBe("vtt");
  expect(allowedFormat("docx", undefined)).toBe("docx");
});
