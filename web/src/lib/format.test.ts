import { describe, expect, it } from "vitest";
import { formatAgo, formatBytes, formatClock, formatDateTime, formatPercent, formatSpan } from "./format";

const NBSP = "\u00A0";

describe("formatting", () => {
  it.each([
    [0, "0:00"],
    [9.99, "0:09"],
    [61, "1:01"],
    [3600, "1:00:00"],
    [3912.4, "1:05:12"],
    [36_610, "10:10:10"],
    [-1, "0:00"],
  ])("clock %d", (seconds, text) => {
    expect(formatClock(seconds)).toBe(text);
  });

  it.each([
    [0, `0${NBSP}с`, `0${NBSP}s`],
    [59.4, `59${NBSP}с`, `59${NBSP}s`],
    [59.6, `1${NBSP}хв`, `1${NBSP}min`],
    [3599, `1${NBSP}год`, `1${NBSP}h`],
    [5400, `1${NBSP}год 30${NBSP}хв`, `1${NBSP}h 30${NBSP}min`],
  ])("span %d", (seconds, uk, en) => {
    expect(formatSpan(seconds, "uk")).toBe(uk);
    expect(formatSpan(seconds, "en")).toBe(en);
  });

  it("formats bytes by powers of 1024", () => {
    expect(formatBytes(524_288_000, "uk")).toBe(`500${NBSP}МБ`);
    expect(formatBytes(0, "en")).toBe(`0${NBSP}B`);
    expect(formatBytes(1536, "uk")).toBe(`1,5${NBSP}КБ`);
    expect(formatBytes(1536, "en")).toBe(`1.5${NBSP}KB`);
  });

  it("formats percentages as usual in the language", () => {
    expect(formatPercent(38.4, "en")).toBe("38%");
    expect(formatPercent(38.4, "uk")).toMatch(/^38\s?%$/);
  });

  it("includes the year only if it is not the current one", () => {
    const now = Date.parse("2026-11-21T12:00:00Z");
    expect(formatDateTime("2026-03-05T12:00:00Z", "en", now)).not.toContain("2026");
    expect(formatDateTime("2025-03-05T12:00:00Z", "en", now)).toContain("2025");
  });

  it.each([
    [-600, "зараз", "now"],
    [59, "зараз", "now"],
    [60, "1 хвилину тому", "1 minute ago"],
    [47 * 60, "47 хвилин тому", "47 minutes ago"],
    [3 * 3600 + 1700, "3 години тому", "3 hours ago"],
    [30 * 3600, "учора", "yesterday"],
    [20 * 86_400, "20 днів тому", "20 days ago"],
    [70 * 86_400, "2 місяці тому", "2 months ago"],
    [800 * 86_400, "2 роки тому", "2 years ago"],
  ])("%d seconds ago", (seconds, uk, en) => {
    const now = Date.parse("2026-11-21T12:00:00Z");
    const then = new Date(now - seconds * 1000).toISOString();
    expect(formatAgo(then, "uk", now)).toBe(uk);
    expect(formatAgo(then, "en", now)).toBe(en);
  });
});
