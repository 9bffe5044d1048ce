// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { type Text, textOf } from "./apply";
import type { DocumentStore } from "./document-store";
import type { EditedSegment } from "./model";
import { useShownText } from "./use-shown-text";

const segment = (id: string, text: string, base = 0): EditedSegment => ({
  id,
  revision: 1,
  text,
  words: [],
  speaker: null,
  start: base,
  end: base + 1,
  place: { base, part: 0 },
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "requestAnimationFrame", "cancelAnimationFrame"] });
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("shows what changes within a segment after the next paint, and what comes or goes at once", async () => {
  const store = createStore<Text>()(() => textOf([segment("a", "one"), segment("b", "two", 1)], []));
  const shown: string[] = [];
  const Rows = () => {
    const { segments, positions } = useShownText(store as unknown as DocumentStore);
    // Whatever is shown, places and segments belong together.
    expect([...positions.keys()]).toEqual(segments.map(({ id }) => id));
    shown.push(segments.map(({ text }) => text).join(" "));
    return null;
  };
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  await act(async () => root.render(<Rows />));
  expect(shown.at(-1)).toBe("one two");

  const { segments, positions } = store.getState();
  await act(async () => store.setState({ segments: segments.with(0, segment("a", "won")), positions }));
  expect(shown.at(-1)).toBe("one two");
  await act(async () => vi.runAllTimers());
  expect(shown.at(-1)).toBe("won two");

  await act(async () => store.setState(textOf(store.getState().segments.toSpliced(1, 1), [])));
  expect(shown.at(-1)).toBe("won");
  await act(async () => root.unmount());
});
