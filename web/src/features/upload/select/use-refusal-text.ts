/** The message for a refused recording. */
import { useTranslation } from "react-i18next";
import { useViolationText } from "@/hooks/use-violation-text";
import { MAX_OPEN_UPLOADS } from "@/rules/constants";
import type { RefusedRecording } from "../tray-model";

export function useRefusalText(): (refusal: RefusedRecording) => string {
  const { t } = useTranslation("upload");
  const violationText = useViolationText();
  return ({ reason }) => {
    switch (reason) {
      case "again":
        return t("refusals.again");
      case "full":
        return t("refusals.full", { count: MAX_OPEN_UPLOADS });
      case "elsewhere":
        return t("refusals.elsewhere");
      default:
        return reason.map(violationText).join(" ");
    }
  };
}
