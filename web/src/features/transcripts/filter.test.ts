import { describe, expect, it } from "vitest";
import { activeFilterCount, parseFilter } from "./filter";

const OFFERED = { statuses: ["completed", "processing", "error", "uploaded"], languages: ["uk", "en"] } as const;
const parse = (query: string) => parseFilter(new URLSearchParams(query), OFFERED);

describe("the list's filter in the URL", () => {
  it("reads search and status", () => {
    expect(parse("q=%D1%96%D0%BD%D1%82%D0%B5%D1%80%D0%B2%E2%80%99%D1%8E&status=error")).toEqual({
      q: "інтерв’ю",
      status: "error",
    });
  });

  it("reads mode, language and days", () => {
    const filter = parse("mode=lite&language=en&from=2026-11-01&to=2026-11-30");
    expect(filter).toEqual({ mode: "lite", language: "en", from: "2026-11-01", to: "2026-11-30" });
    expect(activeFilterCount(filter)).toBe(4);
  });

  it("reads a tag and a folder by their ids", () => {
    const [tag, folder] = ["01981d3e-0000-7000-8000-000000000001", "01981d3e-0000-7000-8000-00000000000F"];
    const filter = parse(`tag=${tag}&folder=${folder}`);
    expect(filter).toEqual({ tag, folder });
    expect(activeFilterCount(filter)).toBe(2);
    expect(parse("tag=1&folder=%27%20OR%201=1")).toEqual({});
  });

  it("ignores blank and unknown values", () => {
    expect(parse("q=+++&status=exploded")).toEqual({});
    expect(parse("mode=fast&language=xx&from=2026-02-31&to=yesterday")).toEqual({});
    expect(parse("from=99999-01-01&to=2026-1-1")).toEqual({});
    expect(activeFilterCount(parse(""))).toBe(0);
  });
});
