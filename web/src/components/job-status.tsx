/** A job's status as an icon and a word; it does not depend on colour alone. */
import { Ban, Check, CircleDashed, FileUp, type LucideIcon, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { JobStatus as Status } from "@/api";
import { cx } from "@/lib/class-names";
import { SpeakingBars } from "./speaking-bars";

/** Null: animated bars instead of an icon. */
const SIGNS: Record<Status, { icon: LucideIcon | null; colour: string }> = {
  pending: { icon: CircleDashed, colour: "text-ink-soft" },
  processing: { icon: null, colour: "text-voice-ink" },
  completed: { icon: Check, colour: "text-good" },
  failed: { icon: TriangleAlert, colour: "text-bad" },
  error: { icon: TriangleAlert, colour: "text-bad" },
  uploaded: { icon: FileUp, colour: "text-note" },
  cancelled: { icon: Ban, colour: "text-ink-faint" },
};

export function JobStatus({ status, className }: { status: Status; className?: string }) {
  const label = useStatusLabel();
  const sign = SIGNS[status];
  return (
    <span className={cx("inline-flex items-center gap-1.5 text-[0.9375rem] whitespace-nowrap", sign?.colour, className)}>
      {sign?.icon ? <sign.icon aria-hidden="true" className="size-4 shrink-0" /> : <SpeakingBars className="h-3.5 w-4" />}
      {label(status)}
    </span>
  );
}

/** An unknown status, from a newer server, is shown as its code. */
export function useStatusLabel(): (status: Status) => string {
  const { t } = useTranslation("rules");
  return (status) => (status in SIGNS ? t(`job_status.${status}`) : status);
}
