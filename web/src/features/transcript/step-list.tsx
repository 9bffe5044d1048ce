/** The stages of a job: done, current (with its progress in the bar below), and remaining. */
import { Check, Circle, CircleDot } from "lucide-react";
import { useTranslation } from "react-i18next";
import { cx } from "@/lib/class-names";
import type { Step } from "./steps";

const SIGNS = { done: Check, now: CircleDot, next: Circle } as const;

export function StepList({ steps }: { steps: readonly Step[] }) {
  const { t } = useTranslation(["transcript", "rules"]);
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
            {state === "done" && <span className="sr-only">: {t("transcript:live.stepDone")}</span>}
          </li>
        );
      })}
    </ol>
  );
}
