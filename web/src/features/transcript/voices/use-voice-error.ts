import { ApiError } from "@/api";
import { useErrorText } from "@/hooks/use-error-text";
import { useViolationText } from "@/hooks/use-violation-text";
import { useVoiceFailure } from "@/hooks/use-voice-failure";

/** Why a request to remember or compare voices was refused. */
export function useVoiceError(): (error: unknown) => string {
  const errorText = useErrorText();
  const violationText = useViolationText();
  const failure = useVoiceFailure();
  return (error) => {
    const [broken] = error instanceof ApiError ? error.violations : [];
    if (!broken) return errorText(error);
    // Elsewhere this code is about a setting that can be turned off.
    return broken.code === "feature_unavailable" ? failure(broken.code) : violationText(broken);
  };
}
