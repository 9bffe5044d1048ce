/** The minutes needed and the Back and Start buttons: always visible. */
import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import type { ConfigureStepProps } from "./configure-step";

interface ActionsProps extends Pick<ConfigureStepProps, "ready" | "queued" | "submitting" | "onBack" | "onUnqueue"> {
  /** The minutes that the jobs will use. */
  children: ReactNode;
  /** Id of the text about minutes. */
  describedBy: string;
  /** Starting is not possible; pressing the button shows why. */
  refused: boolean;
}

export function Actions({ ready, queued, submitting, onBack, onUnqueue, children, describedBy, refused }: ActionsProps) {
  const { t } = useTranslation("configure");
  const label = submitting ? t("actions.submitting") : ready ? t("actions.start") : t("actions.startWhenReady");
  return (
    <div className="sticky bottom-0 z-10 -mx-4 mt-auto flex flex-wrap items-center justify-between gap-x-5 gap-y-2 border-t border-rule bg-paper px-4 py-3 md:mx-0 md:px-0">
      <Button look="quiet" onClick={onBack} disabled={submitting} className="-ml-2">
        <ArrowLeft aria-hidden="true" />
        {t("actions.back")}
      </Button>
      {/* It wraps to a second line before the buttons do. */}
      <div className="max-lg:order-first max-lg:w-full lg:flex lg:min-w-0 lg:flex-1 lg:justify-end lg:text-right">{children}</div>
      {queued && !submitting ? (
        <div className="flex flex-wrap items-center gap-3">
          <p role="status" className="text-sm text-ink-soft">
            {t("actions.queued")}
          </p>
          <Button onClick={onUnqueue}>{t("actions.unqueue")}</Button>
        </div>
      ) : (
        <Button
          type="submit"
          look="primary"
          busy={submitting}
          aria-describedby={describedBy}
          aria-disabled={refused || undefined}
          className="aria-disabled:opacity-55 max-sm:h-auto max-sm:min-h-(--control) max-sm:flex-1 max-sm:py-1 max-sm:leading-snug max-sm:whitespace-normal"
        >
          {label}
        </Button>
      )}
    </div>
  );
}
