import { ApiError } from "@/api";
import { useEngineText, useErrorText } from "@/hooks/use-error-text";
import { useViolationText } from "@/hooks/use-violation-text";

/** Why a URL was refused, with the server's parameters. */
export function useProbeErrorText(): (error: unknown) => string {
  const errorText = useErrorText();
  const engineText = useEngineText();
  const violationText = useViolationText();
  return (error) => {
    if (!(error instanceof ApiError)) {
      return errorText(error);
    }
    if (error.violations.length > 0) {
      return error.violations.map(violationText).join(" ");
    }
    return engineText({ code: error.code, params: error.params }) ?? errorText(error);
  };
}
