/** What the server has nothing for yet: a quiet mark beside the setting, and the whole truth once it is chosen. */
import { CircleDashed } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Ability } from "./fields-context";

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
      {t("lack.note")} {t(`lack.without.${ability}`)}
    </p>
  );
}
