/** The stages of a job: what is done, what is being done and how far, what is to come. */
import { Check, Circle, CircleDot } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatPercent } from "@/lib/format";
import type { Step } from "./steps";

const SIGNS = { done: Check, now: CircleDot, next: Circle } as const;

interface StepListProps {
  steps: readonly Step[];
  /** How far the present one is, 0 to 100. */
  percent: number;
}

export function StepList({ steps, percent }: StepListProps) {
  const { t } = useTranslation(["transcript", "rules"]);
  const locale = useLocale();
  return (
    <ol aria-label={t("transcript:live.steps")} className="mt-3 flex flex-wrap gap-x-5 gap-y-1.5 text-sm">
      {steps.map(({ name, state }) => {
        const Sign = SIGNS[state];
        return (
          <li
            key={name}
            {...(state === "now" && { "aria-current": "step" as const })}
            className={cx(
              "flex items-center gap-1.5",
              state === "done" && "text-good",
              state === "now" && "font-strong",
              state === "next" && "text-ink-faint",
            )}
          >
            <Sign aria-hidden="true" className="size-4 shrink-0" />
            {name === "analysis" ? t("transcript:live.analysis") : t(`rules:stage.${name}`)}
            {state === "now" && <span className="figures font-normal text-ink-soft">{formatPercent(percent, locale)}</span>}
            {state === "done" && <span className="sr-only">: {t("transcript:live.stepDone")}</span>}
          </li>
        );
      })}
    </ol>
  );
}
