/** Progress of a download or verification. */
import { useTranslation } from "react-i18next";
import type { ManagedModel } from "@/api/admin-config";
import { useLocale } from "@/hooks/use-locale";
import { formatBytes, formatPercent } from "@/lib/format";

interface ModelProgressProps {
  id: string;
  task: NonNullable<ManagedModel["task"]>;
}

export function ModelProgress({ id, task: { step, done, total, here } }: ModelProgressProps) {
  const { t } = useTranslation("admin-config");
  const locale = useLocale();
  const words = t(`models.step.${step}`);
  const measured = total !== null && total > 0 && done > 0;
  const percent = measured ? Math.min(100, (done / total) * 100) : undefined;
  return (
    <div className="flex flex-col gap-1">
      <div
        role="progressbar"
        aria-label={t("models.progress", { step: words, id })}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent === undefined ? undefined : Math.round(percent)}
        className="h-1.5 overflow-hidden rounded-full bg-rule"
      >
        <div
          style={{ width: `${percent ?? 100}%` }}
          className={percent === undefined ? "h-full animate-[ink-in_1.6s_ease-in-out_infinite] bg-accent" : "h-full bg-accent"}
        />
      </div>
      <p className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
        <span>{words}</span>
        {percent !== undefined && total !== null && (
          <span className="figures">
            {t("models.bytes", { done: formatBytes(done, locale), total: formatBytes(total, locale) })} ·{" "}
            {formatPercent(percent, locale)}
          </span>
        )}
        {!here && <span className="text-ink-faint">{t("models.elsewhere")}</span>}
      </p>
    </div>
  );
}
