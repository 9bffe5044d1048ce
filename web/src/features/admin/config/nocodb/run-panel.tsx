import { useQuery } from "@tanstack/react-query";
import { Check, LoaderCircle, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type NocodbRun, type NocodbStats, nocodbSyncQuery } from "@/api/nocodb";
import { useLocale } from "@/hooks/use-locale";
import { useNocodbHint } from "@/hooks/use-nocodb-hint";
import { formatDateTime, formatNumber } from "@/lib/format";
import { Facts } from "./facts";
import { ConflictList, ProblemList } from "./rows";

const KINDS = ["plans", "users", "usage", "presets", "jobs", "outputs"] as const;
const CHANGES = ["created_there", "changed_there", "removed_there", "created_here", "changed_here"] as const;

/** The state of the current or last run. */
export function RunPanel() {
  const run = useQuery(nocodbSyncQuery()).data?.run;
  return run ? <Run run={run} /> : null;
}

function Run({ run }: { run: NocodbRun }) {
  const { t } = useTranslation("admin-nocodb");
  const locale = useLocale();
  const hint = useNocodbHint()(run.success ? null : run.message);
  const running = run.status === "running";
  const kind = KINDS.find((known) => known === run.at_kind);
  const putBack = run.conflicts.filter((conflict) => conflict.winner === "put_back");
  const conflicts = run.conflicts.filter((conflict) => conflict.winner !== "put_back");
  return (
    <section
      aria-labelledby="nocodb-run"
      aria-busy={running}
      className="flex flex-col gap-3 rounded border border-rule px-4 py-3"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 id="nocodb-run" className="text-[0.9375rem] font-strong">
          {running ? t("run.title_running") : t("run.title")}
        </h3>
        <Status run={run} />
      </div>
      <p role="status" className="text-sm text-ink-soft">
        {running ? kind && t("run.at", { kind: t(`kind.${kind}`) }) : hint}
      </p>
      <Facts
        facts={[
          [t("run.started"), `${formatDateTime(run.started_at, locale)}, ${causeText(run.cause)}`],
          ...(run.ended_at ? [[t("run.ended"), formatDateTime(run.ended_at, locale)] as const] : []),
          ...counted(run.stats),
        ]}
      />
      {run.problems.length > 0 && <ProblemList problems={run.problems} count={run.stats.problems} />}
      {conflicts.length > 0 && (
        <ConflictList title={t("run.conflicts", { number: formatNumber(run.stats.conflicts, locale) })} conflicts={conflicts} />
      )}
      {putBack.length > 0 && (
        <ConflictList title={t("run.put_back", { number: formatNumber(run.stats.put_back, locale) })} conflicts={putBack} />
      )}
    </section>
  );

  function causeText(cause: string): string {
    return cause === "admin" || cause === "interval" || cause === "load" ? t(`cause.${cause}`) : cause;
  }

  function counted(stats: NocodbStats) {
    const number = (value: number) => formatNumber(value, locale);
    const carried = KINDS.filter((known) => stats[known] > 0).map((known) => `${t(`kind.${known}`)}: ${number(stats[known])}`);
    const changes = CHANGES.filter((change) => stats[change] > 0).map(
      (change) => [t(`run.${change}`), number(stats[change])] as const,
    );
    const nothing = carried.length === 0 && run.success;
    return [
      ...(nothing || carried.length > 0 ? [[t("run.carried"), nothing ? t("run.nothing") : carried.join(", ")] as const] : []),
      ...changes,
      [t("run.requests"), number(stats.requests)] as const,
    ];
  }
}

const LOOKS = {
  running: { icon: LoaderCircle, look: "text-ink-soft [&>svg]:animate-spin" },
  succeeded: { icon: Check, look: "text-good" },
  partial: { icon: TriangleAlert, look: "text-warn" },
  failed: { icon: TriangleAlert, look: "text-bad" },
  interrupted: { icon: TriangleAlert, look: "text-warn" },
} as const;

function Status({ run }: { run: NocodbRun }) {
  const { t } = useTranslation("admin-nocodb");
  const status = (Object.keys(LOOKS) as (keyof typeof LOOKS)[]).find((known) => known === run.status) ?? "failed";
  const { icon: Icon, look } = LOOKS[status];
  return (
    <p className={`flex items-center gap-1.5 text-sm ${look}`}>
      <Icon aria-hidden="true" className="size-4 shrink-0" />
      {t(`status.${status}`)}
    </p>
  );
}
