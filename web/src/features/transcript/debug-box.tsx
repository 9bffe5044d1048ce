/** Stored data of a job, for administrators. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Check, ChevronDown, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { api, call, type Job, useUser } from "@/api";
import { Skeleton } from "@/components/skeleton";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { useMediaQuery } from "@/hooks/use-media-query";
import { formatNumber } from "@/lib/format";

/** Refetched on each change of the job's status. */
const debugQuery = ({ my_job_id: id, status }: Job) =>
  queryOptions({
    queryKey: ["jobs", "debug", id, status],
    queryFn: ({ signal }) => call(api.GET("/api/v1/jobs/{id}/debug", { params: { path: { id } }, signal })),
  });

interface DebugBoxProps {
  job: Job;
  /** Expanded, also on a narrow page. */
  whole?: boolean;
}

export function DebugBox(props: DebugBoxProps) {
  return useUser()?.role === "admin" ? <Opened {...props} /> : null;
}

function Opened({ job, whole = false }: DebugBoxProps) {
  const { t } = useTranslation("transcript");
  const errorText = useErrorText();
  const debug = useQuery(debugQuery(job));
  const narrow = useMediaQuery("(width < 1024px)");
  const facts = debug.data ? (
    <Facts job={job} {...debug.data} />
  ) : debug.error ? (
    <p className="mt-2 text-bad">{errorText(debug.error)}</p>
  ) : (
    <Skeleton className="mt-3 h-16 w-full" />
  );
  // On a narrow page the text comes first; this is collapsed, like the card above it.
  return narrow && !whole ? (
    <details className="group rounded-lg border border-dashed border-rule-strong px-4 py-2.5 text-sm open:pb-4">
      <summary className="kicker flex list-none items-center justify-between gap-2 py-1 [&::-webkit-details-marker]:hidden">
        {t("debug.label")}
        <ChevronDown aria-hidden="true" className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      {facts}
    </details>
  ) : (
    <section aria-label={t("debug.label")} className="mt-4 rounded-lg border border-dashed border-rule-strong p-4 text-sm">
      <h3 className="kicker">{t("debug.label")}</h3>
      {facts}
    </section>
  );
}

interface FactsProps {
  job: Job;
  my_job_id: string;
  output_found: boolean;
  segment_count: number;
  versions: number;
  edits: number;
}

function Facts({ job, my_job_id, output_found, segment_count, versions, edits }: FactsProps) {
  const { t } = useTranslation("transcript");
  const locale = useLocale();
  const rows = [
    [t("debug.segments"), formatNumber(segment_count, locale)],
    [t("debug.versions"), formatNumber(versions, locale)],
    [t("debug.edits"), formatNumber(edits, locale)],
  ] as const;
  return (
    <>
      <dl className="mt-2 flex flex-col gap-1.5">
        <div>
          <dt className="text-ink-faint">{t("debug.id")}</dt>
          <dd className="figures text-xs wrap-anywhere select-all">{my_job_id}</dd>
        </div>
        <div className="flex justify-between gap-4">
          <dt className="text-ink-faint">{t("debug.output")}</dt>
          <dd>{t(output_found ? "debug.found" : "debug.missing")}</dd>
        </div>
        {rows.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4">
            <dt className="text-ink-faint">{name}</dt>
            <dd className="figures">{value}</dd>
          </div>
        ))}
      </dl>
      {job.status === "completed" && !output_found ? (
        <p className="mt-3 flex items-start gap-1.5 text-warn">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {t("debug.notSynced")}
        </p>
      ) : (
        output_found && (
          <p className="mt-3 flex items-center gap-1.5 text-good">
            <Check aria-hidden="true" className="size-4 shrink-0" />
            {t("debug.synced")}
          </p>
        )
      )}
    </>
  );
}
