/** What the server says against a file, as a sentence. */
import { useTranslation } from "react-i18next";
import { useViolationText } from "@/hooks/use-violation-text";
import { hasProblemText } from "@/lib/problem-codes";
import type { UploadFailure } from "./upload-store";

export function useUploadFailureText(): (failure: UploadFailure) => string {
  const { t } = useTranslation(["upload", "problems"]);
  const violationText = useViolationText();
  return ({ code, params, violations }) => {
    if (violations.length > 0) {
      return violations.map(violationText).join(" ");
    }
    if (code !== null && hasProblemText("codes", code)) {
      return t(`problems:codes.${code}`, params);
    }
    if (code !== null && hasProblemText("job", code)) {
      return t(`problems:job.${code}`, params);
    }
    return t("upload:errors.another");
  };
}
