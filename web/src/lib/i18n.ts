/** Languages of the interface. Texts are in src/locales; keys are typed from the Ukrainian files. */
import i18next, { type BackendModule, type CustomTypeOptions } from "i18next";
import { initReactI18next } from "react-i18next";
import type { User } from "@/api/schema";
import { TEXT_LIMITS } from "@/rules/constants";
import { isLocale, LOCALE_KEY, type Locale, storedLocale, storeLocale } from "./locale-cookie";
import { inWords } from "./number-words";

export { isLocale, LOCALES, type Locale } from "./locale-cookie";

/** One file of texts. */
export type Namespace = keyof CustomTypeOptions["resources"];

/** The name of each language in that language, for the language picker. */
export const LOCALE_NAMES: Record<Locale, string> = { uk: "Українська", en: "English" };

const DEFAULT_LOCALE: Locale = "uk";

/** The files with texts of errors of the server, the engine and the connection. */
export const ERROR_TEXTS = ["problems", "languages"] as const satisfies readonly Namespace[];

/** Loaded when needed; vite.config.ts puts some in one chunk. Texts of mails and public pages are used by the server only. */
const files = import.meta.glob<object>(
  ["../locales/*/*.json", "!../locales/*/{mail,site,home,about,features,pricing,contact,legal,docs,status,changelog}.json"],
  { import: "default" },
);

const fileOf = (locale: string, namespace: string) => `../locales/${locale}/${namespace}.json`;

const NAMESPACES = Object.keys(files).flatMap((path) => {
  const name = path.slice(fileOf(DEFAULT_LOCALE, "").length - ".json".length, -".json".length);
  return path === fileOf(DEFAULT_LOCALE, name) ? (name as Namespace) : [];
});

const isForAdministrators = (namespace: Namespace) => /^admin(-|$)/.test(namespace);

/** Loads texts that were not preloaded, while the component that uses them suspends. */
const backend: BackendModule = {
  type: "backend",
  init: () => undefined,
  read: (locale, namespace, done) => {
    fetchTexts(locale, namespace).then(
      (texts) => done(null, texts as Record<string, never>),
      (error: Error) => done(error, true),
    );
  },
};

/** Initialises i18next with these texts in the reader's language or in `locale`. Rejects if they cannot be loaded. */
export async function startTexts(first: readonly Namespace[], locale = readersLocale()): Promise<void> {
  const texts = await Promise.all(first.map(async (namespace) => [namespace, await fetchTexts(locale, namespace)] as const));
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: locale,
      // Both languages are complete (npm run check:locales); a missing text should be visible.
      fallbackLng: false,
      ns: first,
      defaultNS: "common",
      resources: { [locale]: Object.fromEntries(texts) },
      partialBundledLanguages: true,
      interpolation: { escapeValue: false, defaultVariables: { limits: TEXT_LIMITS } },
      returnNull: false,
      saveMissing: true,
      missingKeyHandler: (_languages, namespace, key) => console.warn(`No text for ${namespace}:${key}`),
    });
  // `{{limits.links, word}}`
  i18next.services.formatter?.add("word", (value: number, language, options) => inWords(value, language, options));
  showLocale(locale);
}

/** Adopts the language chosen in another tab. */
export function followLocale(): void {
  window.addEventListener("storage", (event) => {
    if (event.key === LOCALE_KEY && isLocale(event.newValue)) void switchLocale(event.newValue);
  });
}

/** Initialises i18next with all texts. */
export const startI18n = (): Promise<void> => startTexts(NAMESPACES);

/** Preloads texts. Rejects if they cannot be loaded. */
async function loadTexts(namespaces: readonly Namespace[]): Promise<void> {
  await addTexts(shownLocale(), namespaces);
}

/** Preloads all texts for someone with this role, or for a visitor. Rejects if they cannot be loaded. */
export const loadTextsFor = (role: User["role"] | undefined): Promise<void> =>
  loadTexts(role === "admin" ? NAMESPACES : NAMESPACES.filter((namespace) => !isForAdministrators(namespace)));

/** Resolves to the code when its texts are loaded, too; both load in parallel. */
export async function withTexts<Code>(code: Promise<Code>, ...namespaces: readonly Namespace[]): Promise<Code> {
  await loadTexts(namespaces);
  return await code;
}

/** Changes the language here, in other tabs (by local storage) and on the public pages (by a cookie). */
export async function switchLocale(locale: Locale): Promise<void> {
  const inUse = NAMESPACES.filter((namespace) => i18next.hasResourceBundle(i18next.language, namespace));
  await addTexts(locale, inUse);
  storeLocale(locale);
  await i18next.changeLanguage(locale);
  showLocale(locale);
}

/** The current language, for code outside of components. */
export const shownLocale = (): Locale => (isLocale(i18next.language) ? i18next.language : DEFAULT_LOCALE);

async function addTexts(locale: Locale, namespaces: readonly Namespace[]) {
  const missing = namespaces.filter((namespace) => !i18next.hasResourceBundle(locale, namespace));
  await Promise.all(
    missing.map(async (namespace) => {
      const texts = await fetchTexts(locale, namespace);
      // A concurrent call may have added it.
      if (!i18next.hasResourceBundle(locale, namespace)) i18next.addResourceBundle(locale, namespace, texts);
    }),
  );
}

async function fetchTexts(locale: string, namespace: string): Promise<object> {
  const fetch = files[fileOf(locale, namespace)];
  if (!fetch) throw new Error(`There is no file of texts ${locale}/${namespace}`);
  return await fetch();
}

/** The stored language. Also sets the cookie for the public pages if it is missing. */
function readersLocale(): Locale {
  const stored = storedLocale();
  if (stored !== null) storeLocale(stored);
  return stored ?? DEFAULT_LOCALE;
}

function showLocale(locale: Locale) {
  document.documentElement.lang = locale;
}
