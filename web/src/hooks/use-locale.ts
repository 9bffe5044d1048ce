import { useTranslation } from "react-i18next";
import { isLocale, type Locale } from "@/lib/i18n";

/** The current language; the component re-renders when it changes. */
export function useLocale(): Locale {
  const { i18n } = useTranslation();
  return isLocale(i18n.language) ? i18n.language : "uk";
}
