/** Placeholder for a loading page. */
import { useTranslation } from "react-i18next";
import { SpeakingBars } from "./speaking-bars";

interface LoadingProps {
  /** A more specific text than "Loading…". */
  text?: string;
}

export function Loading({ text }: LoadingProps) {
  const { t } = useTranslation();
  return (
    <div
      role="status"
      className="flex min-h-60 animate-[fade_var(--motion)_200ms_both] flex-1 flex-col items-center justify-center gap-3 text-ink-faint"
    >
      <SpeakingBars className="h-6 w-7" />
      {text ?? t("loading")}
    </div>
  );
}
