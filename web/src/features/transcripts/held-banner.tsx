/** Held analyses are available by now: one click starts them for all recordings. */
import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useTranslation } from "react-i18next";
import { heldAnalysesQuery } from "@/api/held-analyses";
import { Button } from "@/components/button";
import { useRunHeld } from "@/hooks/use-run-held";

export function HeldBanner() {
  const { t } = useTranslation("analysis");
  const { data } = useQuery(heldAnalysesQuery());
  const { run, busy } = useRunHeld();
  // A recording may have several held parts, so the largest number of a part is a lower bound.
  const recordings = Math.max(0, ...(data?.parts ?? []).filter((part) => part.is_available).map((part) => part.recordings));
  if (recordings === 0) return null;
  return (
    <section
      aria-label={t("held.all.label")}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-lg border border-rule-strong bg-paper-sunk px-4 py-2.5"
    >
      <p>{t("held.all.ready", { count: recordings })}</p>
      <Button size="small" busy={busy} onClick={run}>
        <Play aria-hidden="true" />
        {t("held.all.run")}
      </Button>
    </section>
  );
}
