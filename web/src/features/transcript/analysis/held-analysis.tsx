/** An analysis that was requested but that this server cannot do at present; the recording has its text. */
import { Hourglass, Play } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Analysis } from "@/api/analysis";
import { Button } from "@/components/button";
import { ModelSetupLink } from "@/components/model-setup-link";
import { useRunHeld } from "@/hooks/use-run-held";
import { useForeign } from "../foreign";
import { useAnalysis } from "./analysis-context";

export function HeldAnalysis({ analysis, can }: { analysis: Analysis; can: boolean }) {
  const { t } = useTranslation("analysis");
  const foreign = useForeign();
  const { workspace } = useAnalysis();
  const { run, busy } = useRunHeld(workspace.job.my_job_id);
  const part = t(`parts.${analysis.part}`);
  const reason = analysis.error === "language" || analysis.error === "model_missing" ? analysis.error : "not_configured";
  return (
    <div className="mt-2 mb-3 flex max-w-[70ch] flex-wrap items-center gap-x-4 gap-y-2 rounded bg-paper-sunk px-3.5 py-2.5 last:mb-0">
      <p className="flex min-w-0 flex-1 basis-64 items-start gap-2 text-[0.9375rem] text-ink-soft">
        <Hourglass aria-hidden="true" className="mt-0.5 size-4.5 shrink-0" />
        <span>
          <span className="font-strong text-ink">{t(can ? "held.ready" : "held.waits")}. </span>
          {t(can ? "held.readyText" : `held.reason.${reason}`)} {!can && <ModelSetupLink />}
        </span>
      </p>
      {can && !foreign && (
        <Button size="small" busy={busy} onClick={run} aria-label={t("held.runOf", { part })}>
          <Play aria-hidden="true" />
          {t("held.run")}
        </Button>
      )}
    </div>
  );
}
