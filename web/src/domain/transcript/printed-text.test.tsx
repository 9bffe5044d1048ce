// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { PrintedText } from "./printed-text";

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
});

afterEach(() => vi.unstubAllGlobals());

const segment = (start: number, speaker: string | null, text: string) => ({ start, end: start + 1, speaker, text, words: [] });

it("renders the whole text with speakers only while printing", async () => {
  const segments = Array.from({ length: 1000 }, (_, at) => segment(at, at < 600 ? "SPEAKER_0" : null, `sentence ${at}.`));
  const read = () => ({ segments, speakers: [{ id: "SPEAKER_0", name: "Ольга" }] });
  const root = createRoot(document.createElement("div"));
  await act(async () => root.render(<PrintedText title="Нарада" language="uk" read={read} />));
  const paper = () => document.querySelector(".printed-text");
  expect(paper()).toBeNull();
  await act(async () => void dispatchEvent(new Event("beforeprint")));
  expect(paper()?.getAttribute("lang")).toBe("uk");
  expect(paper()?.querySelector("h1")?.textContent).toBe("Нарада");
  expect([...(paper()?.querySelectorAll("h2") ?? [])].map((head) => head.textContent)).toEqual(["Ольга0:00", "10:00"]);
  expect(paper()?.textContent).toContain("sentence 599. ".trim());
  expect(paper()?.textContent).toContain("sentence 999.");
  await act(async () => void dispatchEvent(new Event("afterprint")));
  expect(paper()).toBeNull();
  await act(async () => root.unmount());
});
