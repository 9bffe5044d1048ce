/** The minutes that the jobs will use, and those left in this month. */
import { CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Minutes } from "@/api/minutes";
import { PlansLink } from "@/components/not-in-plan";
import { useLocale } from "@/hooks/use-locale";
import { useViolationText } from "@/hooks/use-violation-text";
import { formatDay, formatNumber } from "@/lib/format";
import type { Violation } from "@/rules";
import type { neededMinutes } from "./job-minutes";

interface MinutesLineProps {
  id: string;
  needed: ReturnType<typeof neededMinutes>;
  minutes: Minutes | undefined;
  refusal: Violation | null;
}

export function MinutesLine({ id, needed, minutes, refusal }: MinutesLineProps) {
  const { t } = useTranslation("configure");
  const locale = useLocale();
  if (refusal) return <Refused id={id} refusal={refusal} minutes={minutes} />;
  const figure = (value: number) => formatNumber(value, locale, 2);
  const takes = {
    all: t("minutes.needed", { minutes: figure(needed.minutes) }),
    some: t("minutes.atLeast", { minutes: figure(needed.minutes) }),
    none: `${t("minutes.unknownLabel")} ${t("minutes.unknown")}`,
  }[needed.known];
  return (
    <p id={id} className="text-sm text-ink-soft">
      {takes}
      {minutes && (
        <>
          {" · "}
          {minutes.limit === null
            ? t("minutes.unlimited")
            : t("minutes.left", { left: figure(minutes.left ?? 0), limit: figure(minutes.limit) })}
        </>
      )}
    </p>
  );
}

function Refused({ id, refusal, minutes }: Pick<MinutesLineProps, "id" | "minutes"> & { refusal: Violation }) {
  const { t } = useTranslation("configure");
  const violationText = useViolationText();
  const locale = useLocale();
  return (
    <p id={id} role="status" className="flex items-start gap-1.5 text-sm text-bad">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>
        {violationText(refusal)}.{" "}
        {minutes &&
          refusal.code === "minutes_exceeded" &&
          `${t("minutes.resets", { date: formatDay(minutes.reset_at, locale) })} `}
        <PlansLink />
      </span>
    </p>
  );
}
