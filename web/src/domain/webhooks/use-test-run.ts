/** Tests of receivers, and their results in the wording of the specification. */
import type { UseMutationResult } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { WebhookTestResult } from "@/api/webhook-deliveries";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import type { ReasonText } from "./use-reason";

/** Says the results of tests, or why no test could be run. */
export function useTestWords() {
  const { t } = useTranslation("webhooks");
  const errorText = useErrorText();
  return {
    tell: ({ name, working, status }: WebhookTestResult) => {
      if (working) toast.success(t("tested.works", { name }));
      else if (status !== null) toast.error(t("tested.error", { name, status }));
      else toast.error(t("tested.unavailable", { name }));
    },
    fail: (error: unknown) => void toast.error(`${t("test_failed")}. ${errorText(error)}`),
  };
}

/** Runs tests of one receiver. `why` says what was wrong in the last one. */
export function useTestRun(id: string, test: UseMutationResult<WebhookTestResult, Error, string>, reason: ReasonText) {
  const { tell, fail } = useTestWords();
  return {
    run: () => test.mutate(id, { onSuccess: tell, onError: fail }),
    busy: test.isPending,
    why: test.data ? reason(test.data.error, test.data.status) : null,
  };
}
