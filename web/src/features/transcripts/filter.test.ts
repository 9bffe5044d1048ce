import { describe, expect, it } from "vitest";
import { parseFilter } from "./filter";

const OFFERED = ["completed", "processing", "error", "uploaded"] as const;
const parse = (query: string) => parseFilter(new URLSearchParams(query), OFFERED);

describe("the list's filter in the address", () => {
  it("reads search and status", () => {
    expect(parse("q=%D1%96%D0%BD%D1%82%D0%B5%D1%80%D0%B2%E2%80%99%D1%8E&status=error")).toEqual({
      q: "інтерв’ю",
      status: "error",
    });
  });

  it("leaves out what is blank or not offered", () => {
    expect(parse("q=+++&status=exploded")).toEqual({});
    expect(parse("")).toEqual({});
  });
});
