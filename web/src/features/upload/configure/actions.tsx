/** The way back and the way on, always in sight. */
import { ArrowLeft } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import type { ConfigureStepProps } from "./configure-step";

type ActionsProps = Pick<ConfigureStepProps, "ready" | "queued" | "submitting" | "onBack" | "onUnqueue">;

export function Actions({ ready, queued, submitting, onBack, onUnqueue }: ActionsProps) {
  const { t } = useTranslation("configure");
  const label = submitting ? t("actions.submitting") : ready ? t("actions.start") : t("actions.startWhenReady");
  return (
    <div className="sticky bottom-0 z-10 -mx-4 mt-auto flex flex-wrap items-center justify-between gap-3 border-t border-rule bg-paper px-4 py-3 md:mx-0 md:px-0">
      <Button look="quiet" onClick={onBack} disabled={submitting} className="-ml-2">
        <ArrowLeft aria-hidden="true" />
        {t("actions.back")}
      </Button>
      {queued && !submitting ? (
        <div className="flex flex-wrap items-center gap-3">
          <p role="status" className="text-sm text-ink-soft">
            {t("actions.queued")}
          </p>
          <Button onClick={onUnqueue}>{t("actions.unqueue")}</Button>
        </div>
      ) : (
        <Button type="submit" look="primary" busy={submitting}>
          {label}
        </Button>
      )}
    </div>
  );
}
