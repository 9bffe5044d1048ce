// @vitest-environment happy-dom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { EditingState } from "./editing";
import { LineEditor } from "./line-editor";
import type { SharedLine } from "./spoken";

vi.mock("@/rules/text", () => ({ cleanText: (text: string) => text.trim() }));
vi.mock("react-i18next", () => ({ useTranslation: () => ({ t: (key: string) => key, i18n: { language: "uk" } }) }));

const LINE: SharedLine = { id: "1", revision: 0, start: 0, end: 1, speaker: "SPEAKER_0", text: "два", words: [] };
const SPEAKERS = ["SPEAKER_0", "SPEAKER_1", "SPEAKER_2"].map((id) => ({ id, name: null }));

let root: Root;
const setSpeaker = vi.fn<EditingState["setSpeaker"]>();
const save = vi.fn();
const drop = vi.fn();

beforeEach(async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.clearAllMocks();
  root = createRoot(document.body.appendChild(document.createElement("div")));
  const editing = { version: 1, setSpeaker, save, drop, close: () => undefined } as unknown as EditingState;
  await act(async () =>
    root.render(
      <LineEditor line={LINE} caret="end" speakers={SPEAKERS} editing={editing} onGo={() => false} onEnd={() => undefined} />,
    ),
  );
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
});

const list = () => document.querySelector("select") as HTMLSelectElement;
const button = (name: string) => [...document.querySelectorAll("button")].find((element) => element.textContent === name);
/** Like an arrow key in a closed list. */
const pass = (speaker: string) =>
  act(async () => {
    list().focus();
    list().value = speaker;
    list().dispatchEvent(new Event("change", { bubbles: true }));
  });
const press = (key: string) => act(async () => list().dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));
const sent = () => setSpeaker.mock.calls.map(([, speaker]) => speaker);

it("sends the speaker once, on blur or Enter, not for each selected name", async () => {
  await pass("SPEAKER_1");
  await pass("SPEAKER_2");
  expect(sent()).toEqual([]);
  expect(list().value).toBe("SPEAKER_2");
  await act(async () => document.querySelector("textarea")?.focus());
  expect(sent()).toEqual(["SPEAKER_2"]);
  // The choice stays visible until it is saved.
  expect(list().value).toBe("SPEAKER_2");
  await pass("");
  await press("Enter");
  await act(async () => document.querySelector("textarea")?.focus());
  expect(sent()).toEqual(["SPEAKER_2", null]);
  // Refused: the list shows the line's speaker again.
  await act(async () => setSpeaker.mock.calls[1]?.[2]?.());
  expect(list().value).toBe("SPEAKER_0");
});

it("sends the speaker together with the text", async () => {
  await pass("SPEAKER_1");
  await act(async () => button("page.editing.done")?.click());
  expect(sent()).toEqual(["SPEAKER_1"]);
  expect(save).toHaveBeenCalledTimes(1);
});

it("drops a cancelled choice", async () => {
  await pass("SPEAKER_1");
  await press("Escape");
  expect(list().value).toBe("SPEAKER_0");
  await pass("SPEAKER_2");
  await act(async () => button("page.editing.cancel")?.click());
  await act(async () => root.unmount());
  expect(sent()).toEqual([]);
  expect(drop).toHaveBeenCalledWith("1", expect.any(String));
});

it("has a button for a new speaker", async () => {
  expect([...list().options].map(({ value }) => value)).toEqual(["", "SPEAKER_0", "SPEAKER_1", "SPEAKER_2"]);
  await act(async () => button("page.editing.addSpeaker")?.click());
  expect(sent()).toEqual(["SPEAKER_3"]);
  expect(list().value).toBe("SPEAKER_3");
});
