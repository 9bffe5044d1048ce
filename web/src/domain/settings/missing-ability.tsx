/**
 * What the server or the plan does not support. Analyses can be chosen anyway: they are held, and the note says for
 * what. Other options are marked as unavailable, with a reason; if one is already chosen, by a preset or an older
 * server, it can be switched off, and the note asks for that.
 */
import { CircleDashed } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ModelSetupLink } from "@/components/model-setup-link";
import { PlansLink } from "@/components/not-in-plan";
import { type Ability, isAnalysisAbility, isOptionalAbility } from "./fields-context";

/** A missing ability of the server, or the plan. */
export type MissingAbility = Ability | "plan";

export function MissingBadge({ lack }: { lack: MissingAbility }) {
  const { t } = useTranslation("configure");
  return (
    // The leading space allows a line break.
    <>
      {" "}
      <span className="inline-flex items-center gap-1 align-baseline text-xs font-normal whitespace-nowrap text-ink-faint">
        <CircleDashed aria-hidden="true" className="size-3" />
        {t(lack === "plan" ? "lack.plan_mark" : isAnalysisAbility(lack) ? "lack.later_mark" : "lack.mark")}
      </span>
    </>
  );
}

export function MissingNote({ lack, id }: { lack: MissingAbility; id: string }) {
  const { t } = useTranslation("configure");
  if (lack === "plan") {
    return (
      <p id={id} className="text-sm text-warn">
        {t("lack.plan_refused")} <PlansLink />
      </p>
    );
  }
  if (isAnalysisAbility(lack)) {
    return (
      <p id={id} className="text-sm text-ink-soft">
        {t("lack.later")} <ModelSetupLink />
      </p>
    );
  }
  return (
    <p id={id} className="text-sm text-warn">
      {isOptionalAbility(lack) ? [t("lack.note"), t(`lack.without.${lack}`)].join(" ") : t("lack.refused")}
    </p>
  );
}

/** Why the option cannot be chosen; null for options that are skipped or held. */
export function useMissingReason(): (lack: MissingAbility) => string | null {
  const { t } = useTranslation(["configure", "rules"]);
  return (lack) => {
    if (lack === "plan") return t("rules:violations.feature_not_in_plan");
    return isOptionalAbility(lack) || isAnalysisAbility(lack) ? null : t("configure:lack.reason");
  };
}
