/** Plays the recording from a position. */
import { useTranslation } from "react-i18next";
import { releaseFocus } from "@/domain/transcript/pointer-focus";
import { cx } from "@/lib/class-names";
import { formatClock } from "@/lib/format";

interface TimeButtonProps {
  /** In seconds. */
  at: number;
  onPlay: (seconds: number) => void;
  className?: string;
}

export function TimeButton({ at, onPlay, className }: TimeButtonProps) {
  const { t } = useTranslation("analysis");
  return (
    <button
      type="button"
      aria-label={t("result.play", { time: formatClock(at) })}
      onClick={(event) => {
        releaseFocus(event);
        onPlay(at);
      }}
      className={cx(
        "figures inline-flex min-h-6 items-center rounded px-1.5 text-xs text-ink-soft hover:bg-accent-wash hover:text-accent-strong pointer-coarse:min-h-9 pointer-coarse:px-2.5",
        className,
      )}
    >
      {formatClock(at)}
    </button>
  );
}
