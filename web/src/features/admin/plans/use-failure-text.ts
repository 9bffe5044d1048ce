/** Why a plan could not be changed, in the wording of the specification. */
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { useErrorText } from "@/hooks/use-error-text";
import { useViolationText } from "@/hooks/use-violation-text";

/** Its text is complete without a prefix. */
const WHOLE = "plan_external_id_missing";

export function useFailureText(lead: "failed" | "delete_failed" | "decide_failed"): (error: unknown) => string {
  const { t } = useTranslation("admin-plans");
  const errorText = useErrorText();
  const violationText = useViolationText();
  return (error) => {
    const [violation] = error instanceof ApiError ? error.violations : [];
    const message = violation ? violationText(violation) : errorText(error);
    return violation?.code === WHOLE ? message : t(lead, { message });
  };
}
