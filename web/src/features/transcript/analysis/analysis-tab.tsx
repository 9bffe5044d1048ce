/** The analyses of a text, part by part: each can be requested, repeated and fail separately. */

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Server } from "lucide-react";
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { ApiError } from "@/api";
import { type AnalysisView, type AskForm, analysisKey, analysisQuery, askForPart } from "@/api/analysis";
import { NoAnalysis } from "@/components/drawings";
import { isNotInPlan } from "@/components/not-in-plan";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import { useForeign } from "../foreign";
import type { Workspace } from "../workspace";
import { AnalysisContext, type AnalysisTools } from "./analysis-context";
import { AnalysisSkeleton } from "./analysis-skeleton";
import { ChaptersView } from "./chapters-view";
import { ClassificationView } from "./classification-view";
import { KeywordsView } from "./keywords-view";
import { isEmpty } from "./model";
import { PartSection } from "./part-section";
import { PromptView } from "./prompt-view";
import { SentimentView } from "./sentiment-view";
import { StatisticsSection } from "./statistics-section";
import { SummaryView } from "./summary-view";
import { TranslationSection } from "./translation-section";
import { useRemovedAnalyses, useUndoableRemoval } from "./use-undoable-removal";

export function AnalysisTab({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation("analysis");
  const { document, job } = workspace;
  const version = useStore(document, (state) => state.version);
  const analysis = useQuery(analysisQuery(job.my_job_id, version));
  useFreshAfterEdits(workspace);
  return (
    <>
      <h3 className="sr-only">{t("title")}</h3>
      {analysis.data ? (
        <AnalysisContent workspace={workspace} whole={analysis.data} />
      ) : analysis.error ? (
        <ErrorState title={t("loadFailed")} error={analysis.error} onRetry={() => void analysis.refetch()} />
      ) : (
        <AnalysisSkeleton />
      )}
    </>
  );
}

/** Statistics and outdated marks change with every edit, by any author. */
function useFreshAfterEdits({ document, job }: Workspace): void {
  const seq = useStore(document, (state) => state.seq);
  const queryClient = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: an edit makes it another answer
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: analysisKey(job.my_job_id) });
  }, [seq, job.my_job_id, queryClient]);
}

function AnalysisContent({ workspace, whole }: { workspace: Workspace; whole: AnalysisView }) {
  const { t } = useTranslation("analysis");
  const removed = useRemovedAnalyses();
  const foreign = useForeign();
  const view = useMemo(() => {
    const parts = whole.parts.filter(({ id }) => !removed.has(id));
    // Analyses of another user's text cannot be requested.
    return { ...whole, parts, ...(foreign && { available: [] }) };
  }, [whole, removed, foreign]);
  const tools = useTools(workspace, view);
  if (isEmpty(view)) {
    return <EmptyState drawing={NoAnalysis} title={t("empty.title")} text={t("empty.text")} />;
  }
  return (
    <AnalysisContext value={tools}>
      <WhereTextGoes host={view.text_goes_to ?? null} />
      <div className="mt-6 flex flex-col gap-9">
        <PartSection part="summary">{(outcome) => <SummaryView summary={outcome} />}</PartSection>
        <PartSection part="chapters">{(outcome) => <ChaptersView chapters={outcome} />}</PartSection>
        <PartSection part="keywords">{(outcome) => <KeywordsView keywords={outcome} />}</PartSection>
        <PartSection part="sentiment">{(outcome) => <SentimentView sentiment={outcome} />}</PartSection>
        <PartSection part="classification">{(outcome) => <ClassificationView classification={outcome} />}</PartSection>
        <StatisticsSection />
        <PartSection part="prompt">
          {(outcome, { params }) => <PromptView answer={outcome} prompt={params.prompt ?? ""} />}
        </PartSection>
        <TranslationSection part="translation" />
        <TranslationSection part="subtitle_translation" />
      </div>
    </AnalysisContext>
  );
}

function useTools(workspace: Workspace, view: AnalysisView): AnalysisTools {
  const { t } = useTranslation(["analysis", "rules"]);
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const { document, job, player } = workspace;
  const id = job.my_job_id;
  const { queryKey } = analysisQuery(id, view.version);
  const asking = useMutation({
    mutationFn: async (form: AskForm) => {
      // Computed from the text as it is on the page.
      await document.actions.flush();
      return askForPart(id, form);
    },
    onSuccess: (fresh) => queryClient.setQueryData(queryKey, (known) => known && { ...known, parts: [fresh, ...known.parts] }),
    onError: (error) => {
      const missing = error instanceof ApiError && isNotInPlan(error.violations);
      const reason = missing ? t("rules:violations.feature_not_in_plan") : errorText(error);
      toast.error(t("analysis:result.askFailed", { reason }));
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  });
  const remove = useUndoableRemoval(id);
  return {
    view,
    workspace,
    ask: async (form) => void (await asking.mutateAsync(form)),
    remove,
    play: (seconds) => player.getState().playFrom(seconds),
  };
}

function WhereTextGoes({ host }: { host: string | null }) {
  const { t } = useTranslation("analysis");
  return (
    <p className="flex max-w-[70ch] items-start gap-2 text-sm text-ink-soft">
      <Server aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ink-faint" />
      {host === null ? t("where.here") : t("where.outside", { host })}
    </p>
  );
}
