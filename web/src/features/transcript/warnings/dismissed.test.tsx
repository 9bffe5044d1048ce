import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Notice } from "@/api";
import { useDismissed } from "./dismissed";

const KEY = "slovo.hidden-warnings";
let root: Root;
let current: ReturnType<typeof useDismissed>;

function Reader({ job, warnings }: { job: string; warnings: readonly Notice[] }) {
  current = useDismissed(job, warnings);
  return null;
}

const notices = (...codes: string[]): Notice[] => codes.map((code) => ({ code, params: {} }));
const show = (job: string, ...codes: string[]) => act(async () => root.render(<Reader job={job} warnings={notices(...codes)} />));
/** Leaves the page and comes back. */
async function reload() {
  await act(async () => root.unmount());
  root = createRoot(document.createElement("div"));
}

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  localStorage.clear();
  root = createRoot(document.createElement("div"));
});
afterEach(() => act(async () => root.unmount()));

it("stays hidden for this job, until it has other warnings", async () => {
  await show("a", "much_unrecognised");
  expect(current.dismissed).toBe(false);
  await act(async () => current.dismiss());
  expect(current.dismissed).toBe(true);
  await reload();
  await show("a", "much_unrecognised");
  expect(current.dismissed).toBe(true);
  await show("a", "much_unrecognised", "language_uncertain");
  expect(current.dismissed).toBe(false);
  await show("b", "much_unrecognised");
  expect(current.dismissed).toBe(false);
});

it("forgets the oldest ones", async () => {
  localStorage.setItem(KEY, JSON.stringify(Array.from({ length: 200 }, (_, at) => `old-${at} x`)));
  await show("a", "x");
  await act(async () => current.dismiss());
  const stored = JSON.parse(localStorage.getItem(KEY) ?? "[]") as string[];
  expect(stored).toHaveLength(200);
  expect(stored.at(-1)).toBe("a x");
  expect(stored[0]).toBe("old-1 x");
});

it.each(["{", "null", '{"a":1}', "[1, {}]"])("ignores what is no list of names: %s", async (broken) => {
  localStorage.setItem(KEY, broken);
  await show("a", "x");
  expect(current.dismissed).toBe(false);
  await act(async () => current.dismiss());
  expect(current.dismissed).toBe(true);
});
