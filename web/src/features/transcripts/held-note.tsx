/** The number of a recording's analyses that wait for a language model. */
import { Hourglass } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Job } from "@/api";

export function HeldNote({ job }: { job: Job }) {
  const { t } = useTranslation("analysis");
  if (job.held_parts === 0) return null;
  return (
    <p className="mt-1 flex items-center gap-1.5 text-sm text-ink-soft">
      <Hourglass aria-hidden="true" className="size-3.5 shrink-0" />
      {t("held.of_job", { count: job.held_parts })}
    </p>
  );
}
