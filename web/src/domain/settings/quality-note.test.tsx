import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import { MemoryRouter } from "react-router";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { meQuery } from "@/api/account";
import type { Capabilities } from "@/api/capabilities";
import { EVERYTHING } from "@/api/test-capabilities";
import { POOR_MODELS } from "@/api/test-speech-models";
import { TooltipProvider } from "@/components/tooltip";
import { startI18n } from "@/lib/i18n";
import { toast } from "@/lib/toast";
import { defaultSettings } from "@/rules";
import type { Settings } from "./settings";
import { SettingsForm } from "./settings-form";

const POOR = "Українська розпізнається погано: помилки приблизно в\u00a045\u00a0% слів (виміряно з\u00a0моделлю base-q8_0).";
const LITE = "Lite розпізнає лише англійську. Для іншої мови виберіть Full.";
const UNSUITABLE = "Модель розпізнавання base-q8_0 для такого перекладу";

let root: Root;
let current: Settings;
let queryClient: QueryClient;

function Form({ start, capabilities }: { start: Settings; capabilities: Capabilities }) {
  const [settings, setSettings] = useState(start);
  current = settings;
  return (
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <TooltipProvider>
          <SettingsForm settings={settings} onChange={setSettings} capabilities={capabilities} />
        </TooltipProvider>
      </MemoryRouter>
    </QueryClientProvider>
  );
}

const POORLY_SERVED: Capabilities = { ...EVERYTHING, speech_models: POOR_MODELS };
const show = (start: Partial<Settings> = {}, capabilities = POORLY_SERVED) =>
  act(async () => root.render(<Form start={{ ...(defaultSettings() as Settings), ...start }} capabilities={capabilities} />));
const press = (element: HTMLElement | null | undefined) => act(async () => element?.click());
const button = (name: string) => [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name);
const mode = (name: "full" | "lite") => document.querySelector<HTMLElement>(`[role=radio][value=${name}]`);
const notes = () => [...document.querySelectorAll("[role=status] li")].map(({ textContent }) => textContent ?? "");

vi.setConfig({ testTimeout: 60_000 });
beforeAll(startI18n);
beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.spyOn(toast, "info").mockReturnValue(1);
  queryClient = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
  root = createRoot(document.body.appendChild(document.createElement("div")));
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.innerHTML = "";
});

const SHORT = "≈\u00a045\u00a0% помилок";

it("tells in few words that the language is served poorly, and at a click who can help", async () => {
  await show({ language_code: "uk" });
  expect(notes()).toEqual([]);
  expect(button(SHORT)?.getAttribute("aria-expanded")).toBe("false");
  await press(button(SHORT));
  expect(button(SHORT)?.getAttribute("aria-expanded")).toBe("true");
  expect(notes()).toEqual([`${POOR}Краще впорається модель large-v3-q5_0. Установити її може адміністратор.`]);
});

it("says nothing of languages and models of which nothing is known", async () => {
  await show({ language_code: "pl" });
  expect(document.body.textContent).not.toContain("помилок");
  await show({ language_code: "uk" }, EVERYTHING);
  expect(document.body.textContent).not.toContain("помилок");
});

it("links administrators to the choice of the better model", async () => {
  queryClient.setQueryData(meQuery().queryKey, { role: "admin" } as never);
  await show({ language_code: "uk" });
  await press(button(SHORT));
  const link = document.querySelector<HTMLAnchorElement>("[role=status] a");
  expect(link?.getAttribute("href")).toBe("/admin/config?section=models");
  expect(link?.textContent).toContain("large-v3-q5_0");
});

it("goes back from Lite to Full with the language that Lite has replaced", async () => {
  await show({ language_code: "de" });
  await press(mode("lite"));
  expect(notes()[0]).toContain(LITE);
  await press(button("Вибрати Full"));
  expect(current).toMatchObject({ transcription_type: "full", language_code: "de" });
  expect(notes()).toEqual([]);
});

it("does not warn of Lite if English was chosen", async () => {
  await show({ language_code: "en" });
  await press(mode("lite"));
  expect(notes()).toEqual([]);
});

it("offers to translate the text where the model cannot translate the speech", async () => {
  await show({ language_code: "uk", translate: "to_eng", llm_translation: "thai" });
  expect(notes().some((note) => note.includes(UNSUITABLE))).toBe(true);
  await press(button("Перекласти текст"));
  expect(current).toMatchObject({ translate: "", llm_translation: "english, thai" });
  expect(notes().some((note) => note.includes(UNSUITABLE))).toBe(false);
});

it("offers no translation that the server cannot make", async () => {
  const features = { ...EVERYTHING.features, llm_translation: false };
  await show({ language_code: "uk", translate: "to_eng" }, { ...POORLY_SERVED, features });
  expect(notes().some((note) => note.includes(UNSUITABLE))).toBe(true);
  expect(button("Перекласти текст")).toBeUndefined();
});
