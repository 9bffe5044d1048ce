/** The sentence for a broken rule, or for what the server says against a file. */
import { useTranslation } from "react-i18next";
import type { Violation } from "@/api";
import { hasProblemText } from "@/lib/problem-codes";
import type { UploadFailure } from "./upload-store";

export function useViolationText(): (violation: Pick<Violation, "code" | "params">) => string {
  const { t } = useTranslation("rules");
  return ({ code, params }) => t(`violations.${code}` as "violations.file_required", params);
}

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
