import i18next from "i18next";
import { useTranslation } from "react-i18next";
import type texts from "@/locales/uk/admin-nocodb.json";

type Hint = keyof (typeof texts)["hints"];

/** What to do about an error of the external database, by its code; a newer server may have unknown codes. */
export function useNocodbHint(): (code: string | null) => string | null {
  const { t } = useTranslation("admin-nocodb");
  return (code) => {
    if (code === null) return null;
    return i18next.exists(`admin-nocodb:hints.${code}`) ? t(`hints.${code as Hint}`) : t("hints.internal");
  };
}
