import { useCallback } from "react";
import { useTranslation } from "react-i18next";

/** Names languages in the reader's language. A code without a name is its own name. */
export function useLanguageName(): (code: string) => string {
  const { t } = useTranslation("languages");
  return useCallback((code) => t(code as "uk", { defaultValue: code }), [t]);
}
