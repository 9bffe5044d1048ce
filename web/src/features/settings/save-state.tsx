/** The state of a save; changes are announced. */
import { Check, LoaderCircle, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { useErrorText } from "@/hooks/use-error-text";
import { cx } from "@/lib/class-names";
import type { SaveState as State } from "./autosave";

interface SaveStateProps {
  state: State;
  /** Why saving failed. */
  error?: unknown;
  onRetry?: () => void;
  className?: string;
}

const SIGNS = {
  saving: { icon: LoaderCircle, look: "text-ink-soft [&>svg]:animate-spin" },
  saved: { icon: Check, look: "text-good" },
  error: { icon: TriangleAlert, look: "text-bad" },
} as const;

export function SaveState({ state, error, onRetry, className }: SaveStateProps) {
  const { t } = useTranslation(["settings", "common"]);
  const errorText = useErrorText();
  const sign = state === "idle" ? null : SIGNS[state];
  return (
    <div role="status" className={cx("flex flex-wrap items-center gap-x-3 gap-y-1 text-sm", sign && className)}>
      {sign && state !== "idle" && (
        <span className={cx("flex items-start gap-1.5", sign.look)}>
          <sign.icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {state === "error" ? `${t("save.error")} ${errorText(error)}` : t(`save.${state}`)}
        </span>
      )}
      {state === "error" && onRetry && (
        <Button size="small" onClick={onRetry}>
          {t("common:actions.try_again")}
        </Button>
      )}
    </div>
  );
}
