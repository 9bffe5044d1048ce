import { describe, expect, it } from "vitest";
import { filenameOf } from "./exports";

describe("filenameOf", () => {
  it.each([
    [`attachment; filename="a.srt"; filename*=UTF-8''%D0%A0%D0%BE%D0%B7%D0%BC%D0%BE%D0%B2%D0%B0.srt`, "Розмова.srt"],
    [`attachment; filename="a \\"b\\".srt"`, 'a "b".srt'],
    ["attachment; filename*=UTF-8''%E0%A4", null],
    ["attachment", null],
    [null, null],
  ])("%s", (header, filename) => {
    expect(filenameOf(header)).toBe(filename);
  });
});
