import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { ApiError } from "@/api";
import type { Preset } from "@/api/presets";
import { APPLIED_PRESET_KEY, storeAppliedPreset } from "@/domain/presets/applied-preset";
import { type Choice, readChoice, readLast } from "@/domain/settings/settings-draft";
import { startI18n } from "@/lib/i18n";
import { toast } from "@/lib/toast";
import type { TrayItem, TrayState, VoiceItem } from "./tray-model";
import type { JobOrder } from "./upload-model";
import { uploadTray } from "./upload-tray";
import { useSettingsOfAll } from "./use-settings-of-all";

vi.mock("./upload-tray", () => ({
  uploadTray: createStore<Partial<TrayState>>()((set, get) => ({
    items: [],
    separate: false,
    restore: async () => {},
    setSeparate: (separate) => set({ separate }),
    setOwn: (key, own) => change(key, (item) => ({ ...item, own })),
    forgetJobErrors: () => {},
    start: (orderOf) => {
      for (const { key } of get().items ?? []) {
        change(key, (item) => queued(item, orderOf(item)));
      }
    },
    requeue: (orderOf) => {
      for (const { key } of (get().items ?? []).filter(({ state }) => state.queued)) {
        change(key, (item) => queued(item, orderOf(item)));
      }
    },
  })),
}));

function change(key: string, to: (item: VoiceItem) => VoiceItem) {
  uploadTray.setState(({ items }) => ({ items: items.map((item) => (item.key === key ? to(item as VoiceItem) : item)) }));
}

const queued = (item: VoiceItem, order: JobOrder): VoiceItem => ({ ...item, state: { ...item.state, queued: order } });
const failed = (item: VoiceItem, jobError: unknown): VoiceItem => ({ ...item, state: { ...item.state, jobError } });

const recording = (name: string, own: Choice | null = null): VoiceItem => ({
  kind: "voice",
  key: name,
  name,
  own,
  track: null,
  recording: { id: name, filename: name, size: 1, duration: 1 },
  state: { queued: null, submitting: false, jobError: null, start: () => {}, unqueue: () => {}, forgetJobError: () => {} },
});

const MANUAL = () => readChoice("nobody");
const ownChoice = (language_code: string): Choice => ({ ...MANUAL(), settings: { ...MANUAL().settings, language_code } });
const PRESET = {
  id: "p1",
  preset_id: "minutes_v1",
  name: "Протокол",
  name_en: null,
  description: null,
  description_en: null,
  category: "business",
  is_public: true,
  is_default: false,
  transcription_type: "full",
  language_code: "uk",
  usage_count: 0,
  is_system: true,
  is_own: false,
  created_at: "2026-11-01T08:00:00Z",
  updated_at: "2026-11-01T08:00:00Z",
} as const;
const applyOnItsPage = () =>
  storeAppliedPreset({ ...PRESET, settings: { ...MANUAL().settings, summarize: 150 } } as Preset, "u1");

let root: Root;
let page: ReturnType<typeof useSettingsOfAll>;

function Page() {
  page = useSettingsOfAll("u1", undefined);
  return null;
}

const show = () => act(async () => root.render(<Page />));
const put = (items: readonly TrayItem[], separate = false) => act(async () => uploadTray.setState({ items, separate }));
const submit = () => act(async () => page.form.onStart());
const queuedOf = (name: string) => uploadTray.getState().items.find(({ key }) => key === name)?.state.queued;
const choiceOf = (name: string) => {
  const item = page.live.find(({ key }) => key === name);
  return item && page.choiceOf(item);
};

beforeAll(startI18n);
beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  localStorage.clear();
  uploadTray.setState({ items: [], separate: false });
  root = createRoot(document.createElement("div"));
});
afterEach(() => act(async () => root.unmount()));

it("queued jobs start with the shown settings, also after a preset was applied on its page", async () => {
  await put([recording("a"), recording("b")]);
  await show();
  await submit();
  expect(queuedOf("a")).toMatchObject({ presetId: null, settings: { summarize: 0 } });
  await act(async () => page.form.onChoice(ownChoice("de")));
  expect(queuedOf("b")?.settings.language_code).toBe("de");
  await act(async () => root.unmount());
  root = createRoot(document.createElement("div"));
  applyOnItsPage();
  await show();
  expect(queuedOf("a")).toMatchObject({ presetId: "p1", settings: { summarize: 150 } });
  expect(queuedOf("b")).toMatchObject({ presetId: "p1", settings: { summarize: 150 } });
});

it("queued jobs follow the switch between shared and separate settings", async () => {
  await put([recording("a", ownChoice("pl")), recording("b")]);
  await show();
  await act(async () => page.form.onChoice(ownChoice("de")));
  await submit();
  expect(queuedOf("a")?.settings.language_code).toBe("de");
  await act(async () => page.setSeparate(true));
  expect([queuedOf("a"), queuedOf("b")].map((order) => order?.settings.language_code)).toEqual(["pl", "de"]);
  await act(async () => page.setSeparate(false));
  expect(queuedOf("a")?.settings.language_code).toBe("de");
});

it("a preset from its page is applied once, also without a recording", async () => {
  applyOnItsPage();
  await show();
  expect(page.inUse.choice).toMatchObject({ preset: { id: "p1" }, settings: { summarize: 150 } });
  expect(localStorage.getItem(APPLIED_PRESET_KEY)).toBeNull();
  await act(async () => page.inUse.onChoice(MANUAL()));
  await act(async () => root.unmount());
  root = createRoot(document.createElement("div"));
  await show();
  expect(page.inUse.choice.preset).toBeNull();
});

it("an invalid preset changes nothing and is reported", async () => {
  vi.spyOn(toast, "error").mockReturnValue(1);
  storeAppliedPreset({ ...PRESET, language_code: "xx", settings: MANUAL().settings } as Preset, "u1");
  await show();
  expect(toast.error).toHaveBeenCalledExactlyOnceWith("Помилка застосування пресету");
  expect(page.inUse.choice.preset).toBeNull();
});

it("a preset from its page applies to items without separate settings, and the others are listed", async () => {
  vi.spyOn(toast, "info").mockReturnValue(1);
  await put([recording("a", ownChoice("pl")), recording("b")], true);
  applyOnItsPage();
  await show();
  expect(choiceOf("a")).toEqual(ownChoice("pl"));
  expect(choiceOf("b")).toMatchObject({ preset: { id: "p1" }, settings: { summarize: 150 } });
  expect(page.chosen?.key).toBe("b");
  expect(toast.info).toHaveBeenCalledExactlyOnceWith("Пресет «Протокол» не застосовано до записів із власними налаштуваннями: a");
});

it("a preset from its page applies to the only recording, also if it had separate settings", async () => {
  await put([recording("a", ownChoice("pl"))], true);
  applyOnItsPage();
  await show();
  expect(choiceOf("a")).toMatchObject({ preset: { id: "p1" }, manual: { language_code: "pl" } });
  expect(page.inUse.choice.preset?.id).toBe("p1");
});

it("violations are separate for each recording", async () => {
  const wrong: Choice = { ...MANUAL(), settings: { ...MANUAL().settings, summarize: 5000 } };
  await put([recording("a"), recording("b", wrong)], true);
  await show();
  await submit();
  expect(page.chosen?.key).toBe("b");
  expect(page.form.error).toBeInstanceOf(ApiError);
  await act(async () => page.choose("a"));
  expect(page.form.error).toBeNull();
});

it("the server's violations are removed with their recording", async () => {
  await put([recording("a"), recording("b")]);
  await show();
  const before = page.formKey;
  await act(async () => change("a", (item) => failed(item, new Error("no"))));
  expect(page.form.error).toBeInstanceOf(Error);
  expect(page.formKey).toBe(before);
  await put([recording("b")]);
  expect(page.form.error).toBeNull();
  expect(page.formKey).not.toBe(before);
});

it("remembers the last used settings", async () => {
  await show();
  expect(page.starts.last).toBeNull();
  await act(async () => uploadTray.setState({ items: [recording("a.mp3")] }));
  await act(async () => page.form.onChoice({ ...page.form.choice, settings: { ...page.form.choice.settings, summarize: 200 } }));
  await act(async () => page.form.onStart());
  expect(readLast("u1")?.settings.summarize).toBe(200);
});
