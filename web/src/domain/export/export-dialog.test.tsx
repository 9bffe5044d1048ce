// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { MemoryRouter } from "react-router";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { fetchExport, fetchExports } from "@/api/exports";
import { startI18n } from "@/lib/i18n";
import rules from "@/locales/uk/rules.json";
import uk from "@/locales/uk/sharing.json";
import { ExportDialog, type RequestedTimes } from "./export-dialog";

vi.mock("@/lib/save-file", () => ({ saveBlob: vi.fn(), saveFile: vi.fn() }));
vi.mock("@/api/exports", async (original) => ({
  ...(await original<typeof import("@/api/exports")>()),
  fetchExport: vi.fn(async () => ({ blob: new Blob([]), filename: null })),
  fetchExports: vi.fn(async () => ({ blob: new Blob([]), filename: null })),
}));

let root: Root;
/** The plan is unknown here, so all formats can be chosen. */
const client = new QueryClient({ defaultOptions: { queries: { enabled: false } } });

beforeAll(startI18n);

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  localStorage.clear();
  vi.clearAllMocks();
  root = createRoot(document.body.appendChild(document.createElement("div")));
});

afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
});

const SPEAKERS = [{ id: "SPEAKER_0" }, { id: "SPEAKER_1", name: "Олена" }];

const show = (jobs: string[], asked?: RequestedTimes, translations: string[] = [], speakers?: typeof SPEAKERS) =>
  act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <MemoryRouter>
          <ExportDialog
            jobs={jobs}
            {...(asked && { asked })}
            {...(speakers && { speakers })}
            translations={translations}
            onClose={() => undefined}
          />
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  );

const box = (name: string) =>
  document.getElementById([...document.querySelectorAll("label")].find((element) => element.textContent === name)?.htmlFor ?? "");
const isOn = (name: string) => box(name)?.getAttribute("aria-checked") === "true";
const press = (element: Element | null | undefined) => act(async () => (element as HTMLElement | null | undefined)?.click());
const choose = (format: string) => press(document.querySelector(`[role=radio][value=${format}]`));
const download = () =>
  press([...document.querySelectorAll("button")].find((element) => element.textContent === uk.export.download));

it("includes the times requested with the transcription, until changed", async () => {
  await show(["a"], { timestamps: true, words: false });
  expect(isOn(uk.export.timestamps)).toBe(true);
  await choose("csv");
  expect(isOn(uk.export.timestampsData)).toBe(true);
  expect(isOn(uk.export.wordsTable)).toBe(false);
  await download();
  expect(fetchExport).toHaveBeenCalledWith("a", { format: "csv", speakers: true, timestamps: null, words: null }, undefined);
  await press(box(uk.export.timestampsData));
  await press(box(uk.export.wordsTable));
  await download();
  expect(fetchExport).toHaveBeenLastCalledWith("a", { format: "csv", speakers: true, timestamps: false, words: true }, undefined);
});

it("uses the user's template for DOCX only, if there is one and it is chosen", async () => {
  // Observers of the cache are notified asynchronously.
  const known = (template: unknown) =>
    act(async () => {
      client.setQueryData(["docx-template"], template);
      await new Promise((resolve) => setTimeout(resolve));
    });
  await known(null);
  await show(["a"]);
  expect(box(uk.export.template.use)).toBeNull();
  expect(document.querySelector("a[href='/settings?tab=preferences']")?.textContent).toBe(uk.export.template.add);
  await known({ name: "own.docx", size: 1, set_at: "2026-11-25T10:00:00Z" });
  expect(document.body.textContent).toContain("own.docx");
  await press(box(uk.export.template.use));
  await download();
  const docx = { format: "docx", speakers: true, timestamps: null, words: null };
  expect(fetchExport).toHaveBeenLastCalledWith("a", { ...docx, template: true }, undefined);
  await choose("pdf");
  expect(box(uk.export.template.use)).toBeNull();
  await download();
  expect(fetchExport).toHaveBeenLastCalledWith("a", { ...docx, format: "pdf" }, undefined);
  // It stays chosen, but is not requested after the template was deleted.
  await choose("docx");
  expect(isOn(uk.export.template.use)).toBe(true);
  await known(null);
  await download();
  expect(fetchExport).toHaveBeenLastCalledWith("a", docx, undefined);
  client.clear();
});

it("starts without times if none were requested with the transcription", async () => {
  await show(["a"], { timestamps: false, words: true });
  expect(isOn(uk.export.timestamps)).toBe(false);
  await choose("vtt");
  expect(isOn(uk.export.words)).toBe(true);
  expect(document.body.textContent).toContain(uk.export.timestampsAlways);
});

it("uses each transcription's own times for several, or one choice for all", async () => {
  await show(["a", "b"]);
  const select = box(uk.export.times.label) as HTMLSelectElement | null;
  expect(select?.value).toBe("asked");
  await act(async () => {
    if (select) {
      select.value = "with";
      select.dispatchEvent(new Event("change", { bubbles: true }));
    }
  });
  await download();
  expect(fetchExports).toHaveBeenCalledWith(["a", "b"], { format: "docx", speakers: true, timestamps: true, words: null });
});

it("offers both languages for translated subtitles, and requests them for subtitle formats only", async () => {
  await show(["a"], { timestamps: false, words: false }, ["ukrainian", "french"]);
  await choose("docx");
  expect(box(uk.export.languages.label)).toBeNull();
  await choose("srt");
  const select = box(uk.export.languages.label) as HTMLSelectElement | null;
  expect([...(select?.options ?? [])].map(({ text }) => text)).toEqual([
    uk.export.languages.original,
    uk.export.languages.both.replace("{{language}}", rules.translation_target.ukrainian),
    uk.export.languages.both.replace("{{language}}", rules.translation_target.french),
  ]);
  await act(async () => {
    if (select) {
      select.value = "ukrainian";
      select.dispatchEvent(new Event("change", { bubbles: true }));
    }
  });
  await download();
  const chosen = { format: "srt", speakers: true, timestamps: null, words: null, translation: "ukrainian", subtitles: {} };
  expect(fetchExport).toHaveBeenLastCalledWith("a", chosen, undefined);
  await choose("txt");
  expect(box(uk.export.languages.label)).toBeNull();
});

it("requests one language if the subtitles are not translated", async () => {
  await show(["a"], { timestamps: false, words: false });
  await choose("vtt");
  expect(box(uk.export.languages.label)).toBeNull();
});

it("adds bookmarks and notes on request, in formats that support them", async () => {
  await show(["a"], { timestamps: false, words: false });
  await choose("docx");
  expect(isOn(uk.export.annotations)).toBe(false);
  await press(box(uk.export.annotations));
  await download();
  expect(vi.mocked(fetchExport).mock.lastCall?.[1]).toMatchObject({ format: "docx", annotations: true });
  await choose("srt");
  expect(box(uk.export.annotations)).toBeNull();
});

const type = async (label: string, value: string) => {
  const field = box(label) as HTMLInputElement;
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
};
const follow = async (guide: string) => {
  const select = box(uk.export.subtitles.label) as HTMLSelectElement;
  await act(async () => {
    select.value = guide;
    select.dispatchEvent(new Event("change", { bubbles: true }));
  });
};
const lastSubtitles = () => vi.mocked(fetchExport).mock.lastCall?.[1].subtitles;

it("requests the limits of a style guide or valid custom ones, and remembers them", async () => {
  await show(["a"], { timestamps: false, words: false });
  await choose("docx");
  expect(box(uk.export.subtitles.label)).toBeNull();
  await choose("ttml");
  await follow("netflix");
  await type(uk.export.subtitles.figures.frame_rate, "23,976");
  await download();
  expect(lastSubtitles()).toEqual({ preset: "netflix", frame_rate: 23.976 });
  await follow("own");
  await type(uk.export.subtitles.figures.max_columns, "37,5");
  await download();
  expect(fetchExport).toHaveBeenCalledTimes(1);
  expect(box(uk.export.subtitles.figures.max_columns)?.getAttribute("aria-invalid")).toBe("true");
  await type(uk.export.subtitles.figures.max_columns, "37");
  await type(uk.export.subtitles.figures.offset, "-2.5");
  await download();
  expect(lastSubtitles()).toEqual({ max_columns: 37, frame_rate: 23.976, offset: -2.5 });
  await act(async () => root.unmount());
  root = createRoot(document.body.appendChild(document.createElement("div")));
  await show(["a"], { timestamps: false, words: false });
  expect((box(uk.export.subtitles.label) as HTMLSelectElement).value).toBe("own");
  expect((box(uk.export.subtitles.figures.max_columns) as HTMLInputElement).value).toBe("37");
});

const select = async (label: string, value: string) => {
  const field = box(label) as HTMLSelectElement;
  await act(async () => {
    field.value = value;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });
};
const requested = { format: "docx", speakers: true, timestamps: null, words: null };

it("requests the chosen layout in formats that support it, and remembers it", async () => {
  await show(["a"], { timestamps: true, words: false }, [], SPEAKERS);
  expect(box(uk.export.asks.label)).toBeNull();
  await select(uk.export.layout.label, "table");
  expect(isOn(uk.export.timestampsTable)).toBe(true);
  await download();
  expect(fetchExport).toHaveBeenLastCalledWith("a", { ...requested, layout: "table" }, undefined);
  await choose("json");
  expect(box(uk.export.layout.label)).toBeNull();
  await download();
  expect(fetchExport).toHaveBeenLastCalledWith("a", { ...requested, format: "json" }, undefined);
  await choose("md");
  const offered = (box(uk.export.layout.label) as HTMLSelectElement).options;
  const { paragraphs, questions, table } = uk.export.layout.names;
  expect([...offered].map(({ text }) => text)).toEqual([paragraphs, questions, table]);
  await act(async () => root.unmount());
  root = createRoot(document.body.appendChild(document.createElement("div")));
  await show(["a"], { timestamps: true, words: false });
  expect((box(uk.export.layout.label) as HTMLSelectElement).value).toBe("table");
});

it("asks for the interviewer in the layout with questions and answers", async () => {
  await show(["a"], { timestamps: true, words: false }, [], SPEAKERS);
  await select(uk.export.layout.label, "questions");
  const names = [...(box(uk.export.asks.label) as HTMLSelectElement).options].map(({ text }) => text);
  expect(names).toEqual([uk.export.asks.found, "S1", "Олена"]);
  await download();
  expect(fetchExport).toHaveBeenLastCalledWith("a", { ...requested, layout: "questions" }, undefined);
  await select(uk.export.asks.label, "SPEAKER_1");
  await download();
  expect(fetchExport).toHaveBeenLastCalledWith("a", { ...requested, layout: "questions", asks: "SPEAKER_1" }, undefined);
});

it("uses one layout for several transcriptions, with each one's default interviewer", async () => {
  await show(["a", "b"]);
  await select(uk.export.layout.label, "questions");
  expect(box(uk.export.asks.label)).toBeNull();
  await download();
  expect(fetchExports).toHaveBeenCalledWith(["a", "b"], { ...requested, layout: "questions" });
});
