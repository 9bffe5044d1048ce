/** Marks where the language changes: its name, on a narrow screen its code. It is read once, and not copied with the text. */
import { useTranslation } from "react-i18next";
import { useLanguageName } from "@/hooks/use-language-name";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";

interface LanguageMarkProps {
  /** ISO 639-1. */
  code: string;
  className?: string;
}

export function LanguageMark({ code, className }: LanguageMarkProps) {
  const { t } = useTranslation("transcript");
  const name = useLanguageName()(code);
  return (
    <span
      // The text around it may be in another language than the page.
      lang={useLocale()}
      data-testid="language-mark"
      className={cx("rounded border border-rule px-1.5 font-sans text-xs text-ink-soft select-none", className)}
    >
      <span className="sr-only">{t("text.newLanguage", { language: name })}</span>
      <span aria-hidden="true" className="max-sm:hidden">
        {name}
      </span>
      <span aria-hidden="true" className="uppercase sm:hidden">
        {code}
      </span>
    </span>
  );
}
