import { describe, expect, it } from "vitest";
import { parseTab, TABS } from "./tab";

describe("the views of a job", () => {
  it("are the same for every job: subtitles can be made of any text", () => {
    expect(TABS).toEqual(["text", "dialog", "search", "segments", "subtitles", "analysis"]);
  });

  it.each([
    ["tab=dialog", "dialog"],
    ["tab=subtitles", "subtitles"],
    ["tab=analysis", "analysis"],
    ["tab=%3Cscript%3E", "text"],
    ["", "text"],
  ])("%s opens %s", (address, tab) => {
    expect(parseTab(new URLSearchParams(address))).toBe(tab);
  });
});
