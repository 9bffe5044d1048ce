/** How the last download or verification ended, and what to do about it. */
import { CircleAlert, CircleCheck, CirclePause } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ManagedModel } from "@/api/admin-config";
import { MODEL_FAILURES } from "@/rules/constants";

export function ModelOutcome({ end: { kind, failure, reason, cancelled } }: { end: NonNullable<ManagedModel["ended"]> }) {
  const { t } = useTranslation("admin-config");
  if (failure === null) {
    const Sign = cancelled ? CirclePause : CircleCheck;
    return (
      <p className={`flex items-center gap-1.5 text-sm ${cancelled ? "text-ink-soft" : "text-good"}`}>
        <Sign aria-hidden="true" className="size-4 shrink-0" />
        {t(cancelled ? "models.cancelled" : kind === "pull" ? "models.pulled" : "models.verified")}
      </p>
    );
  }
  const code = MODEL_FAILURES.find((known) => known === failure) ?? "other";
  return (
    <div role="alert" className="flex items-start gap-2 rounded bg-bad-wash px-3 py-2 text-sm text-bad">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0">
        <p>
          <span className="font-strong">{t(kind === "pull" ? "models.pull_failed" : "models.verify_failed")}.</span>{" "}
          {t(`models.failure.${code}`)}
        </p>
        {reason && (
          <details>
            <summary className="inline-flex min-h-6 cursor-pointer items-center">{t("models.reason")}</summary>
            <p lang="en" className="font-mono text-xs wrap-anywhere">
              {reason}
            </p>
          </details>
        )}
      </div>
    </div>
  );
}
