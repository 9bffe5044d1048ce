import { afterEach, expect, test } from "vitest";
import { fileViolations, noteMoreTypes } from "./taken-types";

afterEach(() => noteMoreTypes([]));

const codes = (name: string, size = 1000) => fileViolations({ name, type: "", size }).map(({ code }) => code);

test("formats besides the ten are taken where the server reads them", () => {
  expect(codes("talk.wma")).toEqual(["file_unsupported"]);
  noteMoreTypes(["aac", "wma"]);
  expect(codes("talk.WMA")).toEqual([]);
  expect(codes("talk.amr")).toEqual(["file_unsupported"]);
  expect(codes("wma")).toEqual(["file_unsupported"]);
  expect(codes("talk.mp3")).toEqual([]);
});

test("their size counts like that of any other", () => {
  noteMoreTypes(["wma"]);
  expect(codes("talk.wma", 0)).toEqual(["file_empty"]);
  expect(codes("talk.wma", 10 ** 12)).toEqual(["file_too_large"]);
});
