/**
 * What the server has nothing for: it cannot be chosen, and a mark and a reason say so. Where it is chosen already, by a
 * preset or an older server, it can be taken back, and the note says that it has to be.
 */
import { CircleDashed } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type Ability, isExtra } from "./fields-context";

export function LackMark() {
  const { t } = useTranslation("configure");
  return (
    // The space before it lets it begin a line of its own.
    <>
      {" "}
      <span className="inline-flex items-center gap-1 align-baseline text-xs font-normal whitespace-nowrap text-ink-faint">
        <CircleDashed aria-hidden="true" className="size-3" />
        {t("lack.mark")}
      </span>
    </>
  );
}

export function LackNote({ ability, id }: { ability: Ability; id: string }) {
  const { t } = useTranslation("configure");
  return (
    <p id={id} className="text-sm text-warn">
      {isExtra(ability) ? [t("lack.note"), t(`lack.without.${ability}`)].join(" ") : t("lack.refused")}
    </p>
  );
}

/** Why what is not chosen cannot be chosen; null for an extra, which harms nothing. */
export function useLackReason(): (ability: Ability) => string | null {
  const { t } = useTranslation("configure");
  return (ability) => (isExtra(ability) ? null : t("lack.reason"));
}
