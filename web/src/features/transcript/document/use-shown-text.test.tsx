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

/** Renders rows, optionally with a field in one of them. */
async function open(text: Text) {
  const store = createStore<Text>()(() => text);
  const shown: string[] = [];
  const Rows = ({ field }: { field: string | null }) => {
    const { segments, positions } = useShownText(store as unknown as DocumentStore, field);
    // Positions and segments must always be consistent.
    expect([...positions.keys()]).toEqual(segments.map(({ id }) => id));
    shown.push(segments.map(({ text }) => text).join(" "));
    return null;
  };
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  const put = (field: string | null) => act(async () => root.render(<Rows field={field} />));
  const write = (at: number, changed: EditedSegment) =>
    act(async () => store.setState(({ segments, positions }) => ({ segments: segments.with(at, changed), positions })));
  return { store, shown, put, write, close: () => act(async () => root.unmount()) };
}

it("shows text typed in the field after the next paint", async () => {
  const { shown, put, write, close } = await open(textOf([segment("a", "one"), segment("b", "two", 1)], []));
  await put("a");
  await write(0, segment("a", "won"));
  expect(shown.at(-1)).toBe("one two");
  await act(async () => vi.runAllTimers());
  expect(shown.at(-1)).toBe("won two");
  await close();
});

it("shows other changes at once", async () => {
  const { store, shown, put, write, close } = await open(textOf([segment("a", "one"), segment("b", "two", 1)], []));
  await put("a");
  await write(1, segment("b", "too", 1));
  expect(shown.at(-1)).toBe("one too");
  await act(async () => vi.runAllTimers());
  // Added or removed segments.
  await act(async () => store.setState(textOf(store.getState().segments.toSpliced(1, 1), [])));
  expect(shown.at(-1)).toBe("one");
  await act(async () => vi.runAllTimers());
  // The field is closed in the same frame as the edit.
  await write(0, segment("a", "won"));
  expect(shown.at(-1)).toBe("one");
  await put(null);
  expect(shown.at(-1)).toBe("won");
  await close();
});
