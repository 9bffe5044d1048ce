/** The languages side by side: there are only two, so a menu is not needed. */
import { useTranslation } from "react-i18next";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { LOCALE_NAMES, LOCALES, switchLocale } from "@/lib/i18n";

export function LocalePicker() {
  const { t } = useTranslation();
  const current = useLocale();
  return (
    <fieldset className="flex">
      <legend className="sr-only">{t("language")}</legend>
      {LOCALES.map((locale) => (
        <button
          key={locale}
          type="button"
          lang={locale}
          aria-pressed={locale === current}
          onClick={() => void switchLocale(locale)}
          className={cx(
            "min-h-(--control) px-2.5 text-sm underline-offset-[6px]",
            locale === current
              ? "font-strong text-ink underline decoration-accent decoration-2"
              : "text-ink-faint hover:text-ink",
          )}
        >
          {LOCALE_NAMES[locale]}
        </button>
      ))}
    </fieldset>
  );
}
