/** Languages of the interface. Texts are in src/locales; keys are typed from the Ukrainian files. */
import i18next from "i18next";
import { initReactI18next } from "react-i18next";

export const LOCALES = ["uk", "en"] as const;
export type Locale = (typeof LOCALES)[number];

/** Each language in its own words, for the language picker. */
export const LOCALE_NAMES: Record<Locale, string> = { uk: "Українська", en: "English" };

export const LOCALE_KEY = "slovo.locale";
const DEFAULT_LOCALE: Locale = "uk";

export const isLocale = (value: unknown): value is Locale => LOCALES.includes(value as Locale);

/** One chunk a language; the other one is fetched when it is asked for. */
const loaders: Record<Locale, () => Promise<{ default: Record<string, object> }>> = {
  uk: () => import("@/locales/uk"),
  en: () => import("@/locales/en"),
};

export async function startI18n(): Promise<void> {
  const locale = storedLocale();
  await i18next.use(initReactI18next).init({
    lng: locale,
    // Both languages are complete (npm run check:locales); a gap is to be seen, not papered over.
    fallbackLng: false,
    defaultNS: "common",
    resources: { [locale]: (await loaders[locale]()).default },
    interpolation: { escapeValue: false },
    returnNull: false,
    saveMissing: true,
    missingKeyHandler: (_languages, namespace, key) => console.warn(`No text for ${namespace}:${key}`),
  });
  showLocale(locale);
  window.addEventListener("storage", (event) => {
    if (event.key === LOCALE_KEY && isLocale(event.newValue)) void switchLocale(event.newValue);
  });
}

/** Changes the language of this tab and, by the stored key, of the others. */
export async function switchLocale(locale: Locale): Promise<void> {
  const { default: namespaces } = await loaders[locale]();
  for (const [namespace, texts] of Object.entries(namespaces)) i18next.addResourceBundle(locale, namespace, texts);
  localStorage.setItem(LOCALE_KEY, locale);
  await i18next.changeLanguage(locale);
  showLocale(locale);
}

/** The language shown now, for code outside of components. */
export const shownLocale = (): Locale => (isLocale(i18next.language) ? i18next.language : DEFAULT_LOCALE);

function storedLocale(): Locale {
  const stored = localStorage.getItem(LOCALE_KEY);
  return isLocale(stored) ? stored : DEFAULT_LOCALE;
}

function showLocale(locale: Locale) {
  document.documentElement.lang = locale;
}
