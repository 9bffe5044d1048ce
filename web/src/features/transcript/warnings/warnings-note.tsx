/** What the reader should know about the text, and what helps; it can be hidden. */
import { useQuery } from "@tanstack/react-query";
import { Info, X } from "lucide-react";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { Job, Notice } from "@/api";
import { capabilitiesQuery } from "@/api/capabilities";
import { subscriptionQuery } from "@/api/subscription";
import { BetterModel } from "@/components/better-model";
import { Button } from "@/components/button";
import { IconButton } from "@/components/icon-button";
import { notInPlan } from "@/domain/settings/plan-of";
import { useWarningText } from "@/hooks/use-error-text";
import type { DocumentStore } from "../document/document-store";
import { useForeign } from "../foreign";
import { removedQuery } from "../removed/api";
import { RerunSheet } from "../rerun/rerun-sheet";
import { useDismissed } from "./dismissed";
import { betterModels, type Remedy, remediesFor } from "./remedies";

interface WarningsNoteProps {
  job: Job;
  warnings: readonly Notice[];
  /** The text, whose edits are saved before another run; null without a text. */
  document: DocumentStore | null | undefined;
}

export function WarningsNote({ document, ...rest }: WarningsNoteProps) {
  const foreign = useForeign();
  const mayBeRestored = rest.warnings.some(({ code }) => code === UNRECOGNISED);
  return document && mayBeRestored && !foreign ? (
    <UnlessRestored document={document} {...rest} />
  ) : (
    <Note document={document} {...rest} />
  );
}

const UNRECOGNISED = "much_unrecognised";

/** Leaves out that much was not recognised once all of it is back in the text. */
function UnlessRestored({ job, warnings, document }: WarningsNoteProps & { document: DocumentStore }) {
  const version = useStore(document, (state) => state.version);
  const positions = useStore(document, (state) => state.positions);
  const { data } = useQuery({ ...removedQuery(job.my_job_id, version), retry: false });
  const passages = data?.passages.filter(({ reason }) => reason === "unrecognised") ?? [];
  const areBack = passages.length > 0 && passages.every(({ segment }) => positions.has(segment));
  const left = areBack ? warnings.filter(({ code }) => code !== UNRECOGNISED) : warnings;
  return <Note job={job} warnings={left} document={document} />;
}

function Note({ job, warnings, document }: WarningsNoteProps) {
  const { t } = useTranslation("transcript");
  const warningText = useWarningText();
  const { dismissed, dismiss } = useDismissed(job.my_job_id, warnings);
  if (warnings.length === 0 || dismissed) {
    return null;
  }
  return (
    <section
      aria-label={t("warnings.label")}
      className="mt-4 flex items-start gap-3 rounded-lg border border-rule-strong bg-warn-wash px-4 py-3 max-sm:text-sm"
    >
      <Info aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-warn" />
      <div className="min-w-0 grow">
        <ul className="flex flex-col gap-1 text-pretty wrap-anywhere">
          {warnings.map((notice) => (
            <li key={`${notice.code} ${JSON.stringify(notice.params)}`}>{warningText(notice)}</li>
          ))}
        </ul>
        {job.status === "completed" && (
          // Their translations are loaded only if needed.
          <Suspense fallback={null}>
            <Help job={job} warnings={warnings} document={document} />
          </Suspense>
        )}
      </div>
      {job.status === "completed" && (
        <IconButton label={t("warnings.hide")} className="-my-1.5 -mr-2 shrink-0" onClick={dismiss}>
          <X aria-hidden="true" />
        </IconButton>
      )}
    </section>
  );
}

/** Models that would do better, and other runs; only the owner can start one. */
function Help({ job, warnings, document }: WarningsNoteProps) {
  const { t } = useTranslation("quality");
  const foreign = useForeign();
  const { data: capabilities } = useQuery(capabilitiesQuery());
  const { data: subscription } = useQuery(subscriptionQuery());
  const [chosen, setChosen] = useState<Remedy | null>(null);
  const canTranslate = capabilities?.features.llm_translation === true && !notInPlan(subscription?.features)("llm_translation");
  const remedies = foreign ? [] : remediesFor(warnings, job.settings, canTranslate);
  const models = betterModels(warnings);
  if (remedies.length === 0 && models.length === 0) {
    return null;
  }
  return (
    <div className="mt-2.5 flex flex-wrap items-center gap-x-4 gap-y-2">
      {remedies.map((remedy) => (
        <Button key={remedy.label} size="small" onClick={() => setChosen(remedy)}>
          {t(remedy.label)}
        </Button>
      ))}
      {models.map((model) => (
        <BetterModel key={model} model={model} />
      ))}
      {chosen && (
        <RerunSheet
          job={job}
          initial={chosen.settings}
          onClose={() => setChosen(null)}
          flush={async () => document?.actions.flush()}
        />
      )}
    </div>
  );
}
