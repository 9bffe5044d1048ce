/** /admin/overview: numbers of users and jobs, current activity, and statistics of the last days. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { type Overview, overviewQuery } from "@/api/admin-overview";
import { NoFigures } from "@/components/drawings";
import { Skeleton } from "@/components/skeleton";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { cx } from "@/lib/class-names";
import { Charts } from "./charts";
import { EditionCard } from "./edition-card";
import { Failures } from "./failures";
import { Queue, ServerFacts, Storage, Totals } from "./figures";
import { hasFigures } from "./has-figures";
import { SetupNote } from "./setup-note";
import { StorageProblems } from "./storage-problems";
import { SyncButton } from "./sync-button";
import { Workers } from "./workers";

const PERIODS = [7, 30, 90] as const;
type Period = (typeof PERIODS)[number];

export function OverviewPage() {
  const { t } = useTranslation("admin-overview");
  const [params, setParams] = useSearchParams();
  const period = PERIODS.find((days) => String(days) === params.get("days")) ?? 30;
  const { data, error, refetch, isPlaceholderData } = useQuery(overviewQuery(period));
  const choose = (days: Period) => setParams(days === 30 ? {} : { days: String(days) }, { replace: true });
  return (
    // The sidebar takes a third of a tablet's width, so the layout depends on the container's width.
    <div
      data-density="compact"
      className="@container mx-auto flex w-full max-w-6xl flex-1 flex-col gap-6 px-4 py-4 text-[0.9375rem] md:px-8 md:py-6"
    >
      {error && !data ? (
        <ErrorState title={t("load_failed")} error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Content overview={data} stale={isPlaceholderData} period={period} onPeriod={choose} />
      ) : (
        <OverviewSkeleton />
      )}
    </div>
  );
}

interface ContentProps {
  overview: Overview;
  /** Shows data of the previous period until the new data is loaded. */
  stale: boolean;
  period: Period;
  onPeriod: (days: Period) => void;
}

function Content({ overview, stale, period, onPeriod }: ContentProps) {
  const { t } = useTranslation("admin-overview");
  return (
    <>
      <StorageProblems storage={overview.storage} />
      <EditionCard />
      <SetupNote />
      <Totals totals={overview.totals} />
      <div className="grid gap-x-10 gap-y-6 @xl:grid-cols-2 @3xl:grid-cols-3">
        <Queue queue={overview.queue} />
        <Storage storage={overview.storage} />
        <ServerFacts version={overview.version} uptime={overview.uptime} />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <fieldset className="flex flex-wrap items-center gap-1">
          <legend className="sr-only">{t("period")}</legend>
          {PERIODS.map((days) => (
            <button
              key={days}
              type="button"
              aria-pressed={days === period}
              onClick={() => onPeriod(days)}
              className={cx(
                "h-(--control) rounded px-3 -outline-offset-2",
                days === period ? "bg-ink text-paper" : "text-ink-soft hover:bg-paper-sunk hover:text-ink",
              )}
            >
              {t(`days_${days}`)}
            </button>
          ))}
        </fieldset>
        <SyncButton />
      </div>
      <div aria-busy={stale} className={cx("flex flex-col gap-6 transition-opacity", stale && "opacity-55")}>
        {hasFigures(overview) ? (
          <Charts days={overview.days}>
            <Failures failures={overview.failures} />
          </Charts>
        ) : (
          <NothingToDraw ever={overview.totals.jobs > 0} />
        )}
      </div>
      <Workers workers={overview.workers} />
    </>
  );
}

/** Shown instead of charts that would all be empty. */
function NothingToDraw({ ever }: { ever: boolean }) {
  const { t } = useTranslation("admin-overview");
  return (
    <EmptyState
      drawing={NoFigures}
      className="border-t border-rule-strong"
      title={t(ever ? "nothing.period_title" : "nothing.title")}
      text={t(ever ? "nothing.period_text" : "nothing.text")}
    />
  );
}

function OverviewSkeleton() {
  const { t } = useTranslation("admin-overview");
  return (
    <div role="status" aria-label={t("totals")} className="flex flex-col gap-6">
      <div className="grid grid-cols-2 gap-4 @md:grid-cols-3 @3xl:grid-cols-6">
        {["a", "b", "c", "d", "e", "f"].map((key) => (
          <Skeleton key={key} className="h-14" />
        ))}
      </div>
      <div className="grid gap-x-10 gap-y-6 md:grid-cols-2">
        {["a", "b", "c", "d"].map((key) => (
          <Skeleton key={key} className="h-56" />
        ))}
      </div>
    </div>
  );
}
