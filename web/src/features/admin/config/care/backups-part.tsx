/** How backups are made, and the last ones. */
import { useQuery } from "@tanstack/react-query";
import { Archive } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type BackupRun, type Backups, backupsQuery, useStartBackup } from "@/api/admin-care";
import { Button } from "@/components/button";
import { TextWithCode } from "@/components/text-with-code";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatBytes, formatDateTime } from "@/lib/format";
import { CardState, ConfigCard, FACTS, ResultPanel } from "../config-card";

export function BackupsPart() {
  const { t } = useTranslation("admin-care");
  const errorText = useErrorText();
  const backups = useQuery(backupsQuery());
  const start = useStartBackup();
  return (
    <ConfigCard title={t("backups.title")} text={t("backups.text")}>
      {backups.data ? (
        <>
          <Facts backups={backups.data} />
          {backups.data.daily && (
            <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <Button busy={start.isPending || backups.data.running} onClick={() => start.mutate()}>
                <Archive aria-hidden="true" />
                {t("backups.start")}
              </Button>
              <Progress backups={backups.data} />
            </div>
          )}
          {start.error && <ResultPanel good={false} title={`${t("backups.start_failed")}. ${errorText(start.error)}`} />}
          <Runs runs={backups.data.runs} />
          <p className="max-w-[64ch] text-sm text-ink-soft">
            <TextWithCode text={t("backups.restore")} />
          </p>
        </>
      ) : (
        <CardState error={backups.error} onRetry={() => void backups.refetch()} rows={4} />
      )}
    </ConfigCard>
  );
}

function Facts({ backups }: { backups: Backups }) {
  const { t } = useTranslation("admin-care");
  const facts = [
    ["place", backups.daily ? backups.place : t("backups.off")],
    ["recordings", t(backups.with_recordings ? "backups.copied" : "backups.referred")],
    ["encryption", t(backups.encrypted ? "backups.encrypted" : "backups.open")],
    ["kept", t("backups.kept_value", { count: backups.kept })],
  ] as const;
  return (
    <>
      <dl className={`${FACTS} sm:grid-cols-[10rem_minmax(0,1fr)]`}>
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-faint">{t(`backups.${name}`)}</dt>
            <dd className="wrap-anywhere">
              <TextWithCode text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {backups.daily && !backups.with_recordings && (
        <p className="max-w-[64ch] text-sm text-warn">
          <TextWithCode text={t("backups.same_disk")} />
        </p>
      )}
    </>
  );
}

/** What the running backup has stored. */
function Progress({ backups: { running, runs } }: { backups: Backups }) {
  const { t } = useTranslation("admin-care");
  const locale = useLocale();
  const stored = runs.find(({ outcome }) => outcome === "running")?.stored_bytes ?? 0;
  return (
    <p role="status" className="text-sm text-ink-soft">
      {running && t("backups.running", { stored: formatBytes(stored, locale) })}
    </p>
  );
}

function Runs({ runs }: { runs: readonly BackupRun[] }) {
  const { t } = useTranslation("admin-care");
  if (runs.length === 0) return <p className="text-sm text-ink-soft">{t("backups.none")}</p>;
  return (
    <div className="max-w-full overflow-x-auto">
      <table className="w-full text-sm">
        <caption className="pb-2 text-left font-strong">{t("backups.runs")}</caption>
        <thead>
          <tr className="border-b border-rule text-left text-ink-faint [&>th]:py-1.5 [&>th]:pr-4 [&>th]:font-normal">
            <th scope="col">{t("backups.when")}</th>
            <th scope="col">{t("backups.outcome")}</th>
            <th scope="col" className="text-right">
              {t("backups.size")}
            </th>
            <th scope="col" className="text-right max-sm:hidden">
              {t("backups.new")}
            </th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <RunRow key={run.id} run={run} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RunRow({ run: { outcome, started_at, name, error, stored_bytes, total_bytes } }: { run: BackupRun }) {
  const { t } = useTranslation("admin-care");
  const locale = useLocale();
  const isBad = outcome === "failed" || outcome === "interrupted";
  const size = (bytes: number) => (outcome === "failed" ? "—" : formatBytes(bytes, locale));
  return (
    <tr className="border-b border-rule align-top [&>td]:py-2 [&>td]:pr-4">
      <td className="whitespace-nowrap">
        <time dateTime={started_at}>{formatDateTime(started_at, locale)}</time>
      </td>
      <td className={cx("min-w-40 wrap-anywhere", isBad && "text-bad")}>
        {t(`backups.outcomes.${outcome}`, { name: name ?? "" })}
        {error && (
          <span lang="en" className="block font-mono text-ink-soft">
            {error}
          </span>
        )}
      </td>
      <td className="text-right whitespace-nowrap tabular-nums">{size(total_bytes)}</td>
      <td className="text-right whitespace-nowrap tabular-nums max-sm:hidden">{size(stored_bytes)}</td>
    </tr>
  );
}
