/** Why an analysis or an answer failed, by the code that the server stored with it. */
import { useTranslation } from "react-i18next";
import { hasProblemText } from "@/lib/problem-codes";

export function useFailureText(): (code: string) => string {
  const { t } = useTranslation("problems");
  return (code) => (hasProblemText("codes", code) ? t(`codes.${code}`) : t("codes.unexpected"));
}
