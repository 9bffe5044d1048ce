/**
 * What the server has nothing for, or the plan does not include. What is made of the text afterwards can be chosen all the
 * same: it waits, and the note says for what. What cannot be chosen has a mark and a reason; where it is chosen already, by a
 * preset or an older server, it can be taken back, and the note says that it has to be.
 */
import { CircleDashed } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ModelSetupLink } from "@/components/model-setup-link";
import { PlansLink } from "@/components/plan-lack";
import { type Ability, isExtra, isLater } from "./fields-context";

/** An ability that the server has not, or the plan. */
export type Lack = Ability | "plan";

export function LackMark({ lack }: { lack: Lack }) {
  const { t } = useTranslation("configure");
  return (
    // The space before it lets it begin a line of its own.
    <>
      {" "}
      <span className="inline-flex items-center gap-1 align-baseline text-xs font-normal whitespace-nowrap text-ink-faint">
        <CircleDashed aria-hidden="true" className="size-3" />
        {t(lack === "plan" ? "lack.plan_mark" : isLater(lack) ? "lack.later_mark" : "lack.mark")}
      </span>
    </>
  );
}

export function LackNote({ lack, id }: { lack: Lack; id: string }) {
  const { t } = useTranslation("configure");
  if (lack === "plan") {
    return (
      <p id={id} className="text-sm text-warn">
        {t("lack.plan_refused")} <PlansLink />
      </p>
    );
  }
  if (isLater(lack)) {
    return (
      <p id={id} className="text-sm text-ink-soft">
        {t("lack.later")} <ModelSetupLink />
      </p>
    );
  }
  return (
    <p id={id} className="text-sm text-warn">
      {isExtra(lack) ? [t("lack.note"), t(`lack.without.${lack}`)].join(" ") : t("lack.refused")}
    </p>
  );
}

/** Why what is not chosen cannot be chosen; null for what harms nothing or waits. */
export function useLackReason(): (lack: Lack) => string | null {
  const { t } = useTranslation(["configure", "rules"]);
  return (lack) => {
    if (lack === "plan") return t("rules:violations.feature_not_in_plan");
    return isExtra(lack) || isLater(lack) ? null : t("configure:lack.reason");
  };
}
