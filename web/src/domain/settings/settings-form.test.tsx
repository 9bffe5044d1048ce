import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import { MemoryRouter } from "react-router";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { EVERYTHING } from "@/api/test-capabilities";
import { TooltipProvider } from "@/components/tooltip";
import { startI18n } from "@/lib/i18n";
import { toast } from "@/lib/toast";
import { defaultSettings, validateOptions } from "@/rules";
import type { Settings } from "./settings";
import { SettingsForm, type SettingsFormProps } from "./settings-form";
import { choiceRows } from "./table";

/** A text in Ukrainian, not a key of one. */
const WORDS = /^[А-ЯІЇЄҐ][а-яіїєґ’\u00a0 ]+$/;
const IN_LITE = "Ця опція недоступна в режимі Lite, виберіть Full";
const defaults = () => defaultSettings() as Settings;

// No requests to a server.
const queryClient = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
let root: Root;
let current: Settings;

function Form({ start, ...rest }: Partial<SettingsFormProps> & { start: Settings }) {
  const [settings, setSettings] = useState(start);
  current = settings;
  return (
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <TooltipProvider>
          <SettingsForm settings={settings} onChange={setSettings} {...rest} />
        </TooltipProvider>
      </MemoryRouter>
    </QueryClientProvider>
  );
}

const show = (start: Partial<Settings> = {}, rest: Partial<SettingsFormProps> = {}) =>
  act(async () => root.render(<Form start={{ ...defaults(), ...start }} {...rest} />));

/** The control with this label, which may be followed by a hint or a badge. */
function control(name: string): HTMLElement {
  const label = [...document.querySelectorAll("label")].find((node) => node.textContent?.trim().startsWith(name));
  const element = label && document.getElementById(label.htmlFor);
  if (!element) throw new Error(`No control ${name}`);
  return element;
}
const press = (element: HTMLElement | null | undefined) => act(async () => element?.click());
const button = (name: string, within: ParentNode = document) =>
  [...within.querySelectorAll("button")].find((element) => element.textContent === name);
const mode = (name: "full" | "lite") => document.querySelector<HTMLElement>(`[role=radio][value=${name}]`);
const description = (element: HTMLElement) =>
  (element.getAttribute("aria-describedby") ?? "")
    .split(" ")
    .map((id) => document.getElementById(id)?.textContent)
    .join(" ");
const toolbar = (field: string) => document.querySelector(`[data-field=${field}] [role=toolbar]`) as HTMLElement;

async function type(element: HTMLElement, text: string) {
  const prototype = element instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  await act(async () => {
    Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(element, text);
    element.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

// Every step renders the whole form, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
beforeAll(startI18n);
beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.spyOn(toast, "info").mockReturnValue(1);
  root = createRoot(document.body.appendChild(document.createElement("div")));
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.innerHTML = "";
});

it("Lite resets settings that need Full, and reports the changed language", async () => {
  await show({
    summarize: 100,
    llm_translation: "french",
    srt_translation: "thai",
    overall_sentiment_analysis: true,
    overall_classification: true,
    classification_labels: ["скарга"],
    custom_prompt: "Що вирішили?",
    word_level_timestamps: true,
  });
  await press(mode("lite"));
  expect(current).toEqual({ ...defaults(), transcription_type: "lite", language_code: "en", word_level_timestamps: true });
  expect(toast.info).toHaveBeenCalledWith("Lite розпізнає лише англійську, тому мову змінено на англійську.");
  expect(document.querySelectorAll("[data-field=language_code] option")).toHaveLength(1);
});

it("does not mention the language if it was English before", async () => {
  await show({ language_code: "en" });
  await press(mode("lite"));
  expect(current.language_code).toBe("en");
  expect(toast.info).not.toHaveBeenCalled();
});

it.each([
  ["Тональність усього запису", "overall_sentiment_analysis"],
  ["Класифікація", "overall_classification"],
  ["Підсумок", "summarize"],
  ["Власний промпт", "custom_prompt"],
])("in Lite %s is focusable, disabled and explained", async (name, field) => {
  await show({ transcription_type: "lite", language_code: "en" });
  const element = control(name);
  expect(element.getAttribute("aria-disabled")).toBe("true");
  expect((element as HTMLButtonElement).disabled).toBe(false);
  expect(description(element)).toContain(IN_LITE);
  await press(element);
  expect(current[field as keyof Settings]).toEqual(defaults()[field as keyof Settings]);
  expect(toast.info).toHaveBeenCalledWith(IN_LITE);
});

it.each(["llm_translation", "srt_translation"] as const)("in Lite no language of %s can be chosen", async (field) => {
  await show({ transcription_type: "lite", language_code: "en" });
  const german = button("Німецька", toolbar(field)) as HTMLElement;
  expect(german.getAttribute("aria-disabled")).toBe("true");
  await press(german);
  expect(current[field]).toBe("");
  expect(toast.info).toHaveBeenCalledWith(IN_LITE);
});

it("Full can be chosen from the advanced tab of Lite", async () => {
  await show({ transcription_type: "lite", language_code: "en" });
  await press(button("Вибрати Full"));
  expect(current.transcription_type).toBe("full");
  expect(control("Класифікація").getAttribute("aria-disabled")).toBeNull();
});

it("diarization cannot be switched on in an unsupported language, but can be switched off", async () => {
  await show({ language_code: "xx" });
  expect(control("Розрізняти мовців").getAttribute("aria-disabled")).toBe("true");
  expect(description(control("Розрізняти мовців"))).toContain("Розрізнення мовців недоступне для цієї мови");
  await act(async () => root.unmount());
  root = createRoot(document.body.appendChild(document.createElement("div")));
  await show({ language_code: "xx", diarization: true });
  await press(control("Розрізняти мовців"));
  expect(current.diarization).toBe(false);
});

it("shows the additional time for diarization, in minutes if the duration is known", async () => {
  await show({}, { duration: 3600 });
  expect(description(control("Розрізняти мовців"))).toContain("Час обробки зросте приблизно на 25\u00a0%");
  expect(description(control("Розрізняти мовців"))).toContain("15\u00A0хв");
});

it("warns that a translation replaces the transcription, except in Lite", async () => {
  await show();
  await press(control("Перекласти англійською"));
  expect(current.translate).toBe("to_eng");
  const warning = "Результатом буде лише англійський переклад";
  expect(description(control("Перекласти англійською"))).toContain(warning);
  await press(mode("lite"));
  expect(document.body.textContent).not.toContain(warning);
  await press(control("Перекласти англійською"));
  expect(current.translate).toBe("");
});

it("analyses without a language model can be chosen, with a note that they come later", async () => {
  const features = { ...EVERYTHING.features, summarization: false, sentiment: false };
  const waits = "На\u00A0цьому сервері ще немає мовної моделі";
  await show({ summarize: 120 }, { capabilities: { ...EVERYTHING, features } });
  expect(document.body.textContent?.match(/чекає на мовну модель/g)).toHaveLength(1);
  expect(description(control("Підсумок")).replaceAll("\u00A0", " ")).toContain(waits.replaceAll("\u00A0", " "));
  await press(control("Тональність"));
  expect(current.overall_sentiment_analysis).toBe(true);
  expect(description(control("Тональність")).replaceAll("\u00A0", " ")).toContain(waits.replaceAll("\u00A0", " "));
  expect(document.body.textContent).not.toContain("не почнеться");
});

it("unsupported recognition options are disabled and explained, but can be switched off", async () => {
  const reason = "На цьому сервері це не налаштовано. Адміністратор може це додати.";
  const capabilities = { ...EVERYTHING, multichannel: false };
  await show({ multichannel: true }, { capabilities });
  expect(description(control("Кожен канал окремо"))).toContain("Вимкніть, щоб почати.");
  await press(control("Кожен канал окремо"));
  expect(current.multichannel).toBe(false);
  expect(description(control("Кожен канал окремо"))).toContain(reason);
});

it("shows the destination of the text beside features of an endpoint, and not beside missing ones", async () => {
  const features = { ...EVERYTHING.features, insights: false };
  await show({}, { capabilities: { ...EVERYTHING, features, text_goes_to: "llm.example.org" } });
  expect(document.body.textContent?.match(/надсилається до llm\.example\.org/g)).toHaveLength(2);
  await show({}, { capabilities: EVERYTHING });
  expect(document.body.textContent).not.toContain("надсилається");
});

it("shows no limits of the server while they are unknown", async () => {
  await show({ summarize: 100, diarization: true });
  expect(document.body.textContent).not.toContain("сервер");
});

it("takes the number of words as typed, and an empty field as 0", async () => {
  await show({ summarize: 50 });
  await type(control("Підсумок"), "");
  expect(current.summarize).toBe(0);
  await type(control("Підсумок"), "1001");
  expect(validateOptions(current)[0]).toMatchObject({ field: "summarize", code: "summarize_out_of_range" });
});

it("languages are listed in the order of the rules, each once", async () => {
  await show({ llm_translation: "Thai" });
  await press(button("Англійська", toolbar("llm_translation")));
  expect(current.llm_translation).toBe("english, thai");
  await press(button("Тайська", toolbar("llm_translation")));
  expect(current.llm_translation).toBe("english");
  expect(current.srt_translation).toBe("");
});

it("Ukrainian can be a target language, after the others", async () => {
  await show({ srt_translation: "thai" });
  await press(button("Українська", toolbar("srt_translation")));
  expect(current.srt_translation).toBe("thai, ukrainian");
  expect(validateOptions(current)).toEqual([]);
});

it("counts the characters of the prompt as the rules do", async () => {
  await show({ custom_prompt: "😀".repeat(3) });
  expect(description(control("Власний промпт"))).toMatch(/3 \/ 5\s?000/);
});

it("opens the tab of the first broken rule and focuses its field", async () => {
  const broken = { summarize: 5000, custom_prompt: " " };
  const violations = validateOptions({ ...defaults(), ...broken });
  await show(broken, { violations });
  expect(document.querySelector("[role=tabpanel][data-state=active] [data-field=custom_prompt]")).toBeNull();
  await act(async () => root.render(<Form start={defaults()} violations={violations} refusals={1} />));
  expect(document.querySelector("[role=tabpanel][data-state=active] [data-field=custom_prompt]")).not.toBeNull();
  expect(document.activeElement).toBe(control("Підсумок"));
  expect(description(control("Підсумок"))).toContain("Введіть ціле число слів");
  expect(description(control("Власний промпт"))).toContain("Власний промпт не може складатися з пробілів");
});

it("splits a pasted list of words, and joins it with commas for the rules", async () => {
  await show({ custom_vocabulary: "Слово" });
  const field = control("Власний словник");
  const pasted = new Event("paste", { bubbles: true, cancelable: true });
  Object.assign(pasted, { clipboardData: { getData: () => "Забужко; слово\nХарків" } });
  await act(async () => field.dispatchEvent(pasted));
  expect(current.custom_vocabulary).toBe("Слово, Забужко, Харків");
  expect(description(field)).toContain("3 / 200");
  await press(document.querySelector<HTMLElement>("[aria-label='Прибрати «Забужко»']"));
  expect(current.custom_vocabulary).toBe("Слово, Харків");
});

it("shows labels with the classification, and marks invalid ones", async () => {
  const labels = ["скарга", "x".repeat(101)];
  const start = { overall_classification: true, classification_labels: labels };
  await show(start, { violations: validateOptions({ ...defaults(), ...start }) });
  expect(control("Мітки").getAttribute("aria-invalid")).toBe("true");
  expect(document.querySelectorAll("[data-field=classification_labels] li.border-bad")).toHaveLength(1);
});

it("the defaults of new transcriptions are the basic fields, without tabs", async () => {
  await show({}, { parts: "defaults" });
  expect(document.querySelector("[role=tab]")).toBeNull();
  expect(() => control("Підсумок")).toThrow();
  await press(control("Субтитри SRT"));
  expect(current.srt).toBe(true);
});

const NOT_IN_PLAN = "Це не входить до вашого тарифу";

it.each([
  ["Розрізняти мовців", "diarization"],
  ["Перекласти англійською", "translate"],
  ["Тональність усього запису", "overall_sentiment_analysis"],
  ["Класифікація", "overall_classification"],
  ["Підсумок", "summarize"],
  ["Власний промпт", "custom_prompt"],
  ["Субтитри SRT", "srt"],
])("%s is disabled and explained if the plan does not include it", async (name, field) => {
  await show({}, { capabilities: EVERYTHING, planFeatures: ["realtime", "api"] });
  const element = control(name);
  expect(element.getAttribute("aria-disabled")).toBe("true");
  expect(description(element)).toContain(NOT_IN_PLAN);
  await press(element);
  expect(current[field as keyof Settings]).toEqual(defaults()[field as keyof Settings]);
  expect(toast.info).toHaveBeenCalledWith(NOT_IN_PLAN);
  expect(document.querySelectorAll("a[href='/subscription#plans']").length).toBeGreaterThan(0);
});

it("disables only features missing in the plan, and none while the plan is unknown", async () => {
  await show({}, { capabilities: EVERYTHING, planFeatures: ["diarization", "analytics"] });
  expect(control("Розрізняти мовців").getAttribute("aria-disabled")).toBeNull();
  expect(control("Підсумок").getAttribute("aria-disabled")).toBeNull();
  expect(control("Перекласти англійською").getAttribute("aria-disabled")).toBe("true");
  await press(button("Німецька", toolbar("llm_translation")));
  expect(current.llm_translation).toBe("");
  await show({}, { capabilities: EVERYTHING });
  expect(control("Перекласти англійською").getAttribute("aria-disabled")).toBeNull();
});

it("features missing in the plan can be switched off", async () => {
  await show({ diarization: true, summarize: 50 }, { capabilities: EVERYTHING, planFeatures: [] });
  expect(description(control("Розрізняти мовців"))).toContain("Це не входить до вашого тарифу. Вимкніть");
  expect(description(control("Підсумок"))).toContain("Це не входить до вашого тарифу. Вимкніть");
  await press(control("Розрізняти мовців"));
  expect(current.diarization).toBe(false);
});

it("explains a feature missing in both plan and server by the plan", async () => {
  const without = { ...EVERYTHING, features: { ...EVERYTHING.features, diarization: false } };
  await show({}, { capabilities: without, planFeatures: [] });
  expect(description(control("Розрізняти мовців"))).toContain(NOT_IN_PLAN);
  const channels = { ...EVERYTHING, multichannel: false };
  await show({}, { capabilities: channels, planFeatures: [] });
  expect(description(control("Кожен канал окремо"))).toContain("На цьому сервері це не налаштовано");
});

it("offers every setting with a list of choices, in words, with the default first", async () => {
  const rows = choiceRows();
  expect(rows.length).toBeGreaterThan(0);
  await show();
  for (const { name, choices } of rows) {
    const select = document.querySelector<HTMLSelectElement>(`[data-field=${name}] select`) as HTMLSelectElement;
    expect(select.labels?.[0]?.textContent).toMatch(WORDS);
    expect([...select.options].map(({ value }) => value)).toEqual(choices);
    for (const { text } of select.options) expect(text).toMatch(WORDS);
    expect(select.value).toBe(choices[0]);
    for (const choice of choices.toReversed()) {
      await act(async () => {
        select.value = choice;
        select.dispatchEvent(new Event("change", { bubbles: true }));
      });
      expect(current[name]).toBe(choice);
      expect(validateOptions(current)).toEqual([]);
    }
  }
});

const SPOKEN = "Мови, якими можуть говорити";
const spokenField = () => document.querySelector("[data-field=languages]");

it("asks which languages may be spoken only if the language is detected", async () => {
  await show({ language_code: "uk", languages: ["uk"] });
  expect(spokenField()).toBeNull();
  await act(async () => root.unmount());
  root = createRoot(document.body.appendChild(document.createElement("div")));
  await show({ language_code: "auto", languages: ["uk", "pl"] });
  expect([...(spokenField()?.querySelectorAll("li") ?? [])].map((chip) => chip.textContent)).toEqual(["Українська", "Польська"]);
  await type(control(SPOKEN), "англ");
  await act(async () => {
    control(SPOKEN).dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  });
  expect(current.languages).toEqual(["uk", "pl", "en"]);
  expect(validateOptions(current)).toEqual([]);
});

it("has a button for the languages that may be spoken as long as there are none", async () => {
  await show({ language_code: "auto" });
  expect(spokenField()).toBeNull();
  const open = [...document.querySelectorAll("button")].find((button) => button.textContent === "Лише деякі мови…");
  await act(async () => open?.click());
  expect(document.activeElement).toBe(control(SPOKEN));
  expect(open?.isConnected).toBe(false);
  await type(control(SPOKEN), "англ");
  await act(async () => {
    control(SPOKEN).dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true }));
  });
  expect(current.languages).toEqual(["en"]);
});

it("asks for them among the defaults with any language, and says what none means", async () => {
  await show({ language_code: "uk" }, { parts: "defaults", languagesHint: "Порожньо" });
  expect(description(control(SPOKEN))).toContain("Порожньо");
});

it("shows invalid languages with any language, so that they can be corrected", async () => {
  const start = { language_code: "uk", languages: ["xx"] };
  await show(start, { violations: validateOptions({ ...defaults(), ...start }) });
  expect(control(SPOKEN).getAttribute("aria-invalid")).toBe("true");
});
