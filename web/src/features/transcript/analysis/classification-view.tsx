/** How well each of the user's labels fits. */
import { useTranslation } from "react-i18next";
import type { Classification, LabelScore } from "@/api/analysis";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatPercent } from "@/lib/format";
import { limits } from "@/rules";
import { useAnalysis } from "./analysis-context";
import { TimeButton } from "./time-button";

export function ClassificationView({ classification: { labels } }: { classification: Classification }) {
  const { t } = useTranslation("analysis");
  if (labels.length === 0) {
    return <p className="text-ink-soft">{t("classification.empty")}</p>;
  }
  return (
    <>
      <ul className="flex max-w-[44rem] flex-col gap-4">
        {labels.map((label) => (
          <Label key={label.label} {...label} />
        ))}
      </ul>
      {labels.length > 1 && <p className="mt-3 text-sm text-ink-faint">{t("classification.note")}</p>}
    </>
  );
}

function Label({ label, score, reason, moments }: LabelScore) {
  const { t } = useTranslation("analysis");
  const { play } = useAnalysis();
  const locale = useLocale();
  const share = Math.min(1, Math.max(0, score)) * 100;
  const isFound = share >= limits().label_found_percent;
  const percent = formatPercent(share, locale);
  return (
    <li>
      <p className="flex items-baseline justify-between gap-4">
        <span className={cx("min-w-0 wrap-anywhere", !isFound && "text-ink-soft")}>{label}</span>
        {isFound ? (
          <span className="figures shrink-0 text-sm">{percent}</span>
        ) : (
          <span className="shrink-0 text-sm text-ink-soft">{t("classification.notFound")}</span>
        )}
      </p>
      <div
        role="img"
        aria-label={isFound ? t("classification.score", { label, percent }) : t("classification.scoreNotFound", { label })}
        className="mt-1 h-2 overflow-hidden rounded-full bg-paper-sunk"
      >
        {isFound && <div className="h-full rounded-full bg-accent" style={{ width: `${share}%` }} />}
      </div>
      {isFound && (reason || moments.length > 0) && (
        <div className="mt-1 flex flex-wrap items-center gap-x-2 text-sm text-ink-soft">
          {reason && <p className="wrap-anywhere">{reason}</p>}
          <span className="-ml-1.5 flex flex-wrap">
            {moments.map((moment) => (
              <TimeButton key={`${moment.segment} ${moment.start}`} at={moment.start} onPlay={play} />
            ))}
          </span>
        </div>
      )}
    </li>
  );
}
