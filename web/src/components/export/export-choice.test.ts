// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { keepExportChoice, readExportChoice } from "./export-choice";

beforeEach(() => localStorage.clear());

it("is what was chosen last", () => {
  keepExportChoice({ format: "srt", speakers: false, timestamps: true });
  expect(readExportChoice()).toEqual({ format: "srt", speakers: false, timestamps: true });
});

it.each(["", "null", "no json", '{"format":"exe","speakers":"yes"}'])("begins anew with %j", (kept) => {
  localStorage.setItem("slovo.export", kept);
  expect(readExportChoice()).toEqual({ format: "docx", speakers: true, timestamps: false });
});
