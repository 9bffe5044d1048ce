/** Single figures: totals, the current queue, the disk, the program. */
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { Overview } from "@/api/admin-overview";
import { useLocale } from "@/hooks/use-locale";
import { formatBytes, formatFullDateTime, formatLongSpan, formatNumber } from "@/lib/format";

const GROUPS = [
  { name: "users", figures: ["users", "users_active", "users_blocked"] },
  { name: "jobs", figures: ["jobs", "jobs_today", "jobs_week"] },
] as const;

export function Totals({ totals }: Pick<Overview, "totals">) {
  const { t } = useTranslation("admin-overview");
  const locale = useLocale();
  return (
    <section aria-label={t("totals")}>
      <div className="grid gap-x-10 gap-y-4 @3xl:grid-cols-2">
        {GROUPS.map(({ name, figures }) => (
          <dl key={name} className="grid grid-cols-3 border-t-2 border-ink pt-2">
            {figures.map((figure, at) => (
              <div key={figure} className="flex flex-col-reverse justify-end">
                <dt className={at === 0 ? "font-strong" : "text-sm text-ink-soft"}>{t(figure)}</dt>
                <dd className="headline figures text-3xl" data-testid={figure}>
                  {formatNumber(totals[figure], locale)}
                </dd>
              </div>
            ))}
          </dl>
        ))}
      </div>
    </section>
  );
}

export function Queue({ queue }: Pick<Overview, "queue">) {
  const { t } = useTranslation("admin-overview");
  const locale = useLocale();
  const oldest = queue.oldest;
  return (
    <Facts title={t("queue.title")}>
      {(["waiting", "running", "downloads"] as const).map((figure) => (
        <Fact key={figure} name={t(`queue.${figure}`)}>
          {formatNumber(queue[figure], locale)}
        </Fact>
      ))}
      <Fact name={t("queue.oldest")}>
        {oldest ? (
          <time dateTime={oldest} title={formatFullDateTime(oldest, locale)}>
            {formatLongSpan(Math.max(0, (Date.now() - Date.parse(oldest)) / 1000), locale)}
          </time>
        ) : (
          <span className="font-sans text-ink-faint">{t("queue.nobody")}</span>
        )}
      </Fact>
    </Facts>
  );
}

export function Storage({ storage }: Pick<Overview, "storage">) {
  const { t } = useTranslation("admin-overview");
  const locale = useLocale();
  return (
    <Facts title={t("storage.title")}>
      {(["media", "avatars", "database", "free"] as const).map((figure) => {
        const bytes = storage[figure];
        return (
          <Fact key={figure} name={t(`storage.${figure}`)}>
            {bytes == null ? t("storage.unknown") : formatBytes(bytes, locale)}
          </Fact>
        );
      })}
    </Facts>
  );
}

export function ServerFacts({ version, uptime }: Pick<Overview, "version" | "uptime">) {
  const { t } = useTranslation("admin-overview");
  const locale = useLocale();
  return (
    <Facts title={t("server.title")}>
      <Fact name={t("server.version")}>{version}</Fact>
      <Fact name={t("server.uptime")}>{formatLongSpan(uptime, locale)}</Fact>
    </Facts>
  );
}

function Facts({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="border-t border-rule-strong pt-2.5">
      <h2 id={id} className="kicker">
        {title}
      </h2>
      <dl className="mt-1.5 flex flex-col gap-1">{children}</dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="figures text-right whitespace-nowrap">{children}</dd>
    </div>
  );
}
