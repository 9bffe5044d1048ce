/** Worker processes, and which of them no longer respond. */
import { HeartPulse, TriangleAlert } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { OverviewWorker } from "@/api/admin-overview";
import { useLocale } from "@/hooks/use-locale";
import { formatAgo, formatDateTime, formatFullDateTime, formatNumber } from "@/lib/format";

const COLUMNS = ["state", "host", "process", "version", "started", "seen", "running"] as const;
const CELL = "px-3 py-(--row) first:pl-0 last:pr-0";

export function Workers({ workers }: { workers: readonly OverviewWorker[] }) {
  const { t } = useTranslation("admin-overview");
  const id = useId();
  return (
    <section aria-labelledby={id} className="border-t border-rule-strong pt-3">
      <h2 id={id} className="font-strong">
        {t("workers.title")}
      </h2>
      {workers.length === 0 ? (
        <p className="mt-1 text-ink-soft">{t("workers.nothing")}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region without controls must be scrollable by keyboard
        <section tabIndex={0} aria-labelledby={id} className="mt-1 overflow-x-auto">
          <table className="w-full min-w-2xl border-collapse text-left text-sm">
            <thead>
              <tr className="border-b border-rule-strong">
                {COLUMNS.map((column) => (
                  <th key={column} scope="col" className={`kicker ${CELL} ${column === "running" ? "text-right" : ""}`}>
                    {t(`workers.${column}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {workers.map((worker) => (
                <Row key={worker.id} worker={worker} />
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

function Row({ worker }: { worker: OverviewWorker }) {
  const { t } = useTranslation("admin-overview");
  const locale = useLocale();
  const { silent } = worker;
  const Sign = silent ? TriangleAlert : HeartPulse;
  return (
    <tr className="border-b border-rule">
      <td className={CELL}>
        <span
          className={`inline-flex items-center gap-1.5 rounded-sm px-1.5 py-0.5 whitespace-nowrap ${silent ? "bg-bad-wash text-bad" : "bg-good-wash text-good"}`}
        >
          <Sign aria-hidden="true" className="size-3.5 shrink-0" />
          {t(silent ? "workers.silent" : "workers.alive")}
        </span>
      </td>
      <td className={`${CELL} wrap-anywhere`}>{worker.host}</td>
      <td className={`${CELL} figures`} title={worker.id}>
        {worker.pid}
      </td>
      <td className={`${CELL} figures`}>{worker.version}</td>
      <td className={`${CELL} whitespace-nowrap`}>
        <time dateTime={worker.started_at} title={formatFullDateTime(worker.started_at, locale)}>
          {formatDateTime(worker.started_at, locale)}
        </time>
      </td>
      <td className={`${CELL} whitespace-nowrap`}>
        <time dateTime={worker.seen_at} title={formatFullDateTime(worker.seen_at, locale)}>
          {formatAgo(worker.seen_at, locale)}
        </time>
      </td>
      <td className={`${CELL} figures text-right`}>{formatNumber(worker.running, locale)}</td>
    </tr>
  );
}
