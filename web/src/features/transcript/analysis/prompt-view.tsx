/** The answer to the user's own instruction. */
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import type { PromptAnswer } from "@/api/analysis";
import { Skeleton } from "@/components/skeleton";
import { Markdown } from "../markdown";

export function PromptView({ answer, prompt }: { answer: PromptAnswer; prompt: string }) {
  const { t } = useTranslation("analysis");
  return (
    <>
      {prompt && (
        <details className="mb-3 text-sm text-ink-soft">
          <summary className="w-fit rounded text-ink-faint hover:text-ink">{t("prompt.asked")}</summary>
          <p className="mt-1 max-h-40 max-w-[65ch] overflow-y-auto whitespace-pre-wrap wrap-anywhere">{prompt}</p>
        </details>
      )}
      <Suspense fallback={<Skeleton className="h-24 w-full" />}>
        <Markdown text={answer.markdown} className="max-w-(--reading-measure)" />
      </Suspense>
    </>
  );
}
