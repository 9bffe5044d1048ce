/** Shown while another run is in progress; the text of the previous run stays visible. */
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { ProgressLine } from "@/components/progress-line";
import { useLocale } from "@/hooks/use-locale";
import { formatPercent } from "@/lib/format";
import { type LiveStore, selectProgress } from "./live-store";

export function RerunStrip({ live }: { live: LiveStore }) {
  const { t } = useTranslation(["editor", "rules"]);
  const locale = useLocale();
  const progress = useStore(live, selectProgress);
  const percent = progress?.percent ?? 0;
  return (
    <section aria-label={t("rerun.label")} className="mt-4 rounded-lg border border-rule-strong bg-voice-wash px-4 py-3">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span>{t("rerun.text")}</span>
        <span className="figures text-sm text-voice-ink">
          {t(`rules:stage.${progress?.stage ?? "queued"}`)} · {formatPercent(percent, locale)}
        </span>
      </p>
      <ProgressLine label={t("rerun.label")} percent={percent} className="mt-2 bg-paper-sunk" />
    </section>
  );
}
