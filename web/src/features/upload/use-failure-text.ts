/** The server's error for a file, as a sentence. */
import { useTranslation } from "react-i18next";
import { useEngineText, useParamsInWords } from "@/hooks/use-error-text";
import { useViolationText } from "@/hooks/use-violation-text";
import { hasProblemText } from "@/lib/problem-codes";
import type { UploadFailure } from "./upload-model";

export function useUploadFailureText(): (failure: UploadFailure) => string {
  const { t } = useTranslation(["upload", "problems"]);
  const violationText = useViolationText();
  const engineText = useEngineText();
  const inWords = useParamsInWords();
  return ({ code, params, violations }) => {
    if (violations.length > 0) {
      return violations.map(violationText).join(" ");
    }
    if (code !== null && hasProblemText("codes", code)) {
      return t(`problems:codes.${code}`, inWords(params));
    }
    return (code === null ? null : engineText({ code, params })) ?? t("upload:errors.another");
  };
}
