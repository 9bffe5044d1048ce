// @vitest-environment happy-dom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { startI18n } from "@/lib/i18n";
import languages from "@/locales/uk/languages.json";
import uk from "@/locales/uk/transcript.json";
import { SegmentList } from "./segment-list";

let root: Root;

beforeAll(startI18n);

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  root = createRoot(document.body.appendChild(document.createElement("div")));
});

afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
});

const show = (codes: (string | null)[], editedAt?: number) => {
  const segments = codes.map((language, index) => ({
    index,
    start: index,
    end: index + 1,
    speaker: "SPEAKER_0",
    language,
    text: `речення ${index}`,
    words: [],
  }));
  return act(async () =>
    root.render(
      <SegmentList
        segments={segments}
        language="uk"
        firstWord={codes.map(() => 0)}
        renderSpeaker={() => <b>Олена</b>}
        edited={editedAt === undefined ? undefined : { position: editedAt, editor: <textarea /> }}
      />,
    ),
  );
};

const rows = () => [...document.querySelectorAll(".transcript-row")];
const marked = () => rows().flatMap((row, at) => (row.querySelector("[data-testid=language-mark]") ? [at] : []));

it("marks where the language changes, and sets it on the text", async () => {
  await show([null, "uk", "ru", "ru", "uk"]);
  expect(rows()).toHaveLength(5);
  expect(marked()).toEqual([2, 4]);
  expect(rows().map((row) => row.querySelector("p")?.getAttribute("lang"))).toEqual([null, null, "ru", "ru", null]);
  const mark = rows()[2]?.querySelector("[data-testid=language-mark]");
  expect(mark?.getAttribute("lang")).toBe("uk");
  const spoken = [...(mark?.children ?? [])].filter((part) => part.getAttribute("aria-hidden") === null);
  expect(spoken.map((part) => part.textContent)).toEqual([uk.text.newLanguage.replace("{{language}}", languages.ru)]);
  expect(mark?.textContent).toContain("ru");
});

it("marks nothing in a text in one language", async () => {
  await show([null, "uk"]);
  expect(marked()).toEqual([]);
  // Also if it is another one than that of the whole recording.
  await show(["ru", "ru"]);
  expect(marked()).toEqual([]);
  expect(rows().map((row) => row.querySelector("p")?.getAttribute("lang"))).toEqual(["ru", "ru"]);
});

it("marks the beginning of a text in several languages if it is not in that of the recording", async () => {
  await show(["ru", "uk"]);
  expect(marked()).toEqual([0, 1]);
});

it("moves marks when a language changes", async () => {
  await show(["uk", "ru", "ru"]);
  expect(marked()).toEqual([1]);
  await show(["uk", "uk", "ru"]);
  expect(marked()).toEqual([2]);
});

it("gives the field of an edited line its language", async () => {
  await show(["uk", "ru"], 1);
  expect(document.querySelector("textarea")?.closest("[lang]")?.getAttribute("lang")).toBe("ru");
  expect(rows()[0]?.getAttribute("lang")).toBeNull();
});
