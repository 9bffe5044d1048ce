import { describe, expect, it } from "vitest";
import type { Job } from "@/api";
import { parseTab, tabsOf } from "./tab";

const job = (srt: boolean) => ({ settings: { srt } }) as Pick<Job, "settings">;

describe("the views of a job", () => {
  it("has subtitles only when they were asked for", () => {
    expect(tabsOf(job(false))).toEqual(["text", "dialog", "search", "segments", "analysis"]);
    expect(tabsOf(job(true))).toContain("subtitles");
  });

  it.each([
    ["tab=dialog", "dialog"],
    ["tab=subtitles", "text"],
    ["tab=analysis", "analysis"],
    ["tab=%3Cscript%3E", "text"],
    ["", "text"],
  ])("%s opens %s", (address, tab) => {
    expect(parseTab(new URLSearchParams(address), tabsOf(job(false)))).toBe(tab);
  });
});
