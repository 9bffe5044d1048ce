/** Imports validated presets; violations reported by the server are shown like those of the local rules. */
import type { UseMutationResult } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { useErrorText } from "@/hooks/use-error-text";
import { useViolationText } from "@/hooks/use-violation-text";
import { toast } from "@/lib/toast";
import { requireValidated } from "@/rules";
import type { ImportPreview } from "./import-result";

/** The mutation that imports parsed presets; it returns one entry per preset. */
export type ImportMutation = Pick<UseMutationResult<readonly unknown[], Error, unknown>, "isPending" | "mutate">;

export function useImport(mutation: ImportMutation, onFound: (found: ImportPreview) => void, onDone: () => void) {
  const { t } = useTranslation("presets");
  const errorText = useErrorText();
  const violationText = useViolationText();
  const [failure, setFailure] = useState<string | null>(null);
  return {
    busy: mutation.isPending,
    failure,
    forgetFailure: () => setFailure(null),
    /** `validated`: the number of presets found in the text. */
    run: (text: string, validated: number) => {
      const [missing] = requireValidated(validated);
      if (missing) return setFailure(violationText(missing));
      setFailure(null);
      mutation.mutate(JSON.parse(text) as unknown, {
        onSuccess: (presets) => {
          toast.success(t("import.done", { count: presets.length }));
          onDone();
        },
        onError: (error) => {
          if (error instanceof ApiError && error.violations.length > 0) onFound({ presets: [], violations: error.violations });
          else setFailure(t("import.failed", { message: errorText(error) }));
        },
      });
    },
  };
}
