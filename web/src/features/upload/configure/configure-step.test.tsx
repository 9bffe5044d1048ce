import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { MemoryRouter } from "react-router";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "@/api";
import { session } from "@/api/client";
import { sessionOf } from "@/api/test-session";
import { TooltipProvider } from "@/components/tooltip";
import { type Choice, readChoice } from "@/domain/settings/settings-draft";
import { startI18n } from "@/lib/i18n";
import { toast } from "@/lib/toast";
import { ConfigureStep, type ConfigureStepProps } from "./configure-step";
import { useChoice } from "./use-choice";

let root: Root;
let client: QueryClient;
let choice: Choice;
let setChoice: (choice: Choice) => void;
let answers: Record<string, unknown>;
const onStart = vi.fn();

const PRESET = {
  id: "01981d3e-7c2a-7aa0-9d61-000000000001",
  preset_id: "minutes_v1",
  name: "Протокол наради",
  name_en: null,
  description: null,
  description_en: null,
  category: "business" as const,
  is_public: true,
  is_default: true,
  transcription_type: "full" as const,
  language_code: "uk",
  settings_en: null,
  quick_start: null,
  usage_count: 0,
  is_system: true,
  is_own: false,
  created_at: "2026-11-01T08:00:00Z",
  updated_at: "2026-11-01T08:00:00Z",
};

function Step(rest: Partial<ConfigureStepProps>) {
  [choice, setChoice] = useChoice("u1");
  return (
    <ConfigureStep
      choice={choice}
      onChoice={setChoice}
      source="file"
      recordings={[{ name: "a.mp3", duration: 600 }]}
      ready
      queued={false}
      submitting={false}
      error={null}
      onStart={onStart}
      onUnqueue={() => {}}
      onBack={() => {}}
      {...rest}
    />
  );
}

async function show(rest: Partial<ConfigureStepProps> = {}) {
  await act(async () =>
    root.render(
      <QueryClientProvider client={client}>
        <MemoryRouter>
          <TooltipProvider>
            <Step {...rest} />
          </TooltipProvider>
        </MemoryRouter>
      </QueryClientProvider>,
    ),
  );
  await act(() => vi.advanceTimersByTimeAsync(50));
}

const text = () => (document.body.textContent ?? "").replaceAll("\u00A0", " ");
const list = () => [...document.querySelectorAll("[role=alert]")].find((element) => element.textContent?.includes("Виправте"));
const start = () => act(async () => document.querySelector<HTMLElement>("[type=submit]")?.click());
const set = (change: Partial<Choice["settings"]>) =>
  act(async () => setChoice({ ...choice, settings: { ...choice.settings, ...change } }));
const select = (label: string) => {
  const element = [...document.querySelectorAll("label")].find((node) => node.textContent === label);
  return document.getElementById(element?.htmlFor ?? "") as HTMLSelectElement;
};
const choose = (label: string, value: string) =>
  act(async () => {
    select(label).value = value;
    select(label).dispatchEvent(new Event("change", { bubbles: true }));
  });
async function type(element: HTMLElement, typed: string) {
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(element, typed);
    element.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

// Every step renders the whole form, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });
beforeAll(startI18n);
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  localStorage.clear();
  session.begin(sessionOf({ id: "u1" }), true);
  client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  root = createRoot(document.body.appendChild(document.createElement("div")));
  onStart.mockClear();
  answers = {
    "/api/v1/presets": { presets: [] },
    "/api/v1/me/minutes": { plan: null, limit: null, used: 3, left: null, reset_at: "2026-12-01T00:00:00Z" },
  };
  vi.stubGlobal("fetch", async (request: Request) => {
    const answer = answers[new URL(request.url).pathname];
    return answer ? Response.json(answer) : Response.json({ code: "not_found", title: "" }, { status: 404 });
  });
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.innerHTML = "";
  session.end("signed_out");
  vi.useRealTimers();
});

it("lists violations for five seconds, and shows them at their fields until corrected", async () => {
  await show();
  await set({ summarize: 5000 });
  await start();
  expect(onStart).not.toHaveBeenCalled();
  expect(list()?.textContent).toContain("Введіть ціле число слів від 0 до 1000");
  const summary = document.querySelector("[data-field=summarize] input") as HTMLInputElement;
  expect(document.activeElement).toBe(summary);
  await act(() => vi.advanceTimersByTimeAsync(4_900));
  expect(list()).toBeDefined();
  await act(() => vi.advanceTimersByTimeAsync(200));
  expect(list()).toBeUndefined();
  expect(summary.getAttribute("aria-invalid")).toBe("true");
  await type(summary, "3000");
  expect(summary.getAttribute("aria-invalid")).toBe("true");
  await type(summary, "300");
  expect(summary.getAttribute("aria-invalid")).toBeNull();
  await start();
  expect(onStart).toHaveBeenCalledWith(expect.objectContaining({ summarize: 300 }), null);
});

it("shows the server's violations beside their fields", async () => {
  await show();
  const violations = [{ field: "language_code", code: "language_unsupported", params: { language: "xx" } }];
  await show({ error: new ApiError({ status: 422, code: "validation_failed", violations } as never) });
  expect(list()?.textContent).toContain("Мова не підтримується: xx");
  expect(document.activeElement).toBe(document.querySelector("[data-field=language_code] select"));
});

it("shows an error that belongs to no field", async () => {
  await show({ error: new Error("boom") });
  expect(text()).toContain("Непередбачена помилка");
});

it("validates and sends a URL with the settings, but does not store it", async () => {
  await show({ source: "url", url: "" });
  await start();
  expect(list()?.textContent).toContain("Введіть");
  await show({ source: "url", url: "https://example.org/a.mp3?key=secret" });
  await start();
  expect(onStart).toHaveBeenCalledWith(expect.objectContaining({ url: "https://example.org/a.mp3?key=secret" }), null);
  expect(localStorage.getItem("slovo.settings")).not.toContain("secret");
});

it("shows the required minutes and that there is no limit", async () => {
  await show({
    recordings: [
      { name: "a.mp3", duration: 600 },
      { name: "b.mp3", duration: 30 },
    ],
  });
  expect(text()).toContain("Буде списано 10,5 хв · без обмеження");
});

it("shows that the minutes are unknown before the file has been read", async () => {
  await show({ recordings: [{ name: "a.mp3", duration: null }] });
  expect(text()).toContain("невідомо, доки файл не прочитано");
});

it("refuses the job without a request if there are too few minutes", async () => {
  answers["/api/v1/me/minutes"] = { plan: "Starter", limit: 120, used: 115.5, left: 4.5, reset_at: "2026-12-01T00:00:00Z" };
  await show();
  expect(text()).toContain("Недостатньо хвилин: потрібно 10, лишилося 4,5. Ліміт хвилин оновиться 1 грудня.");
  await start();
  expect(onStart).not.toHaveBeenCalled();
  expect(list()?.textContent).toContain("потрібно 10, лишилося 4,5");
  // The error belongs to no field, so neither tab is marked.
  expect([...document.querySelectorAll("[role=tab]")].map((tab) => tab.textContent)).toEqual(["Основне", "Розширене"]);
});

it("refuses a recording that is too long for the plan, with a link to the plans", async () => {
  const long = { plan: "Starter", limit: null, used: 0, left: null, max_file_duration: 5, reset_at: "2026-12-01T00:00:00Z" };
  answers["/api/v1/me/minutes"] = long;
  await show();
  expect(text()).toContain("Запис довший, ніж дозволяє ваш тариф: щонайбільше 5");
  // Waiting for the next month would not help.
  expect(text()).not.toContain("Ліміт хвилин оновиться");
  expect(document.querySelector("a[href='/subscription#plans']")).not.toBeNull();
  await start();
  expect(onStart).not.toHaveBeenCalled();
});

it("disables features that the plan does not include", async () => {
  answers["/api/v1/me/subscription"] = {
    plan: null,
    features: ["translation"],
    minutes: answers["/api/v1/me/minutes"],
    request: null,
  };
  await show();
  expect(text()).toContain("немає у вашому тарифі");
  await set({ diarization: true });
  expect(text()).toContain("Це не входить до вашого тарифу. Вимкніть");
});

it("applies a preset, shows it, and sends its id", async () => {
  answers["/api/v1/presets"] = { presets: [{ ...PRESET, settings: { ...readChoice("u1").settings, summarize: 200 } }] };
  await show();
  await set({ language_code: "de" });
  await choose("Пресет", PRESET.id);
  expect(choice.settings).toMatchObject({ summarize: 200, language_code: "uk" });
  expect(text()).toContain("Активний пресет: Протокол наради");
  await set({ srt: true });
  expect(text()).toContain("змінено");
  expect(readChoice("u1")).toEqual(choice);
  await start();
  expect(onStart).toHaveBeenCalledWith(expect.objectContaining({ summarize: 200, srt: true }), PRESET.id);
  await choose("Пресет", "");
  expect(choice).toMatchObject({ settings: { summarize: 0, language_code: "de" }, preset: null });
  expect(text()).not.toContain("Активний пресет");
});

it("applies all settings of a tile with one click, and reverts them with another", async () => {
  const settings = { ...readChoice("u1").settings, diarization: true, summarize: 150 };
  answers["/api/v1/presets"] = { presets: [{ ...PRESET, quick_start: 1, settings }] };
  await show();
  await set({ language_code: "de", word_level_timestamps: true });
  const tile = document.querySelector("fieldset [aria-pressed]") as HTMLElement;
  const press = () => act(async () => tile.click());
  expect(tile.textContent).toContain("Протокол наради");
  expect(tile.textContent).toContain("Мовці, підсумок");
  expect(tile.getAttribute("aria-pressed")).toBe("false");
  await press();
  expect(choice.settings).toMatchObject({ diarization: true, summarize: 150, language_code: "uk", word_level_timestamps: false });
  expect(tile.getAttribute("aria-pressed")).toBe("true");
  expect(select("Пресет").value).toBe(PRESET.id);
  // After a manual change the tile is not selected, and applies its settings again.
  await set({ summarize: 10 });
  expect(tile.getAttribute("aria-pressed")).toBe("false");
  await press();
  expect(choice.settings.summarize).toBe(150);
  await press();
  expect(tile.getAttribute("aria-pressed")).toBe("false");
  expect(choice).toMatchObject({ preset: null, settings: { language_code: "de", summarize: 0, word_level_timestamps: true } });
});

it("keeps the focus when a preset is removed with its badge", async () => {
  answers["/api/v1/presets"] = { presets: [{ ...PRESET, settings: readChoice("u1").settings }] };
  await show();
  await choose("Пресет", PRESET.id);
  const remove = document.querySelector<HTMLElement>("[aria-label^='Прибрати пресет']");
  await act(async () => remove?.focus());
  await act(async () => remove?.click());
  expect(choice.preset).toBeNull();
  expect(document.activeElement?.getAttribute("role")).toBe("status");
});

it("reports that a preset cannot be applied", async () => {
  vi.spyOn(toast, "error").mockReturnValue(1);
  answers["/api/v1/presets"] = { presets: [{ ...PRESET, settings: { ...readChoice("u1").settings, summarize: 5000 } }] };
  await show();
  await choose("Пресет", PRESET.id);
  expect(toast.error).toHaveBeenCalledWith("Помилка застосування пресету");
  expect(choice.preset).toBeNull();
});

it("offers a retry if the presets cannot be loaded", async () => {
  delete answers["/api/v1/presets"];
  await show();
  expect(text()).toContain("Помилка завантаження пресетів");
});

it("requires labels for a classification, beside their field", async () => {
  await show();
  await set({ overall_classification: true });
  await start();
  expect(onStart).not.toHaveBeenCalled();
  const labels = document.querySelector("[data-field=classification_labels] input") as HTMLInputElement;
  expect(document.activeElement).toBe(labels);
  expect(labels.getAttribute("aria-invalid")).toBe("true");
  expect(document.getElementById(`${labels.id}-error`)?.textContent).toBe("Напишіть хоча б одну мітку для класифікації");
  // Switching the classification off resolves the violation.
  const off = document.querySelector<HTMLElement>("[data-field=overall_classification] [role=checkbox]");
  await act(async () => off?.click());
  expect(document.querySelector("[role=tab] .bg-bad-wash")).toBeNull();
});

it("shows the origin of the initial settings, with buttons for it and for the last used ones", async () => {
  const preferred = { ...readChoice("u1").settings, language_code: "pl" };
  const last: Choice = { settings: { ...preferred, summarize: 300 }, preset: null, manual: null };
  const button = (label: string) => [...document.querySelectorAll("button")].find(({ textContent }) => textContent === label);
  const press = (label: string) => act(async () => button(label)?.click());
  await show({ starts: { preferred, last } });
  expect(text()).toContain("Відрізняється від ваших налаштувань");
  await press("Повернути мої налаштування");
  expect(choice).toEqual({ settings: preferred, preset: null, manual: null });
  expect(text()).toContain("Ваші налаштування для нових транскрипцій");
  expect(button("Повернути мої налаштування")).toBeUndefined();
  expect(document.activeElement?.getAttribute("role")).toBe("status");
  await press("Зробити як минулого разу");
  expect(choice.settings.summarize).toBe(300);
  expect(text()).toContain("Як минулого разу");
  expect(button("Зробити як минулого разу")).toBeUndefined();
});
