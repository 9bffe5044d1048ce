/** The speaker: a dot in the speaker's colour and the name. */
import { cx } from "@/lib/class-names";
import { speakerColour } from "./speakers";

interface SpeakerLabelProps {
  /** `SPEAKER_n`. */
  id: string;
  name: string;
  /** A long name wraps; otherwise it is truncated. */
  wrap?: boolean;
  className?: string;
}

export function SpeakerLabel({ id, name, wrap = false, className }: SpeakerLabelProps) {
  return (
    <span
      className={cx("inline-flex min-w-0 gap-1.5 text-sm font-strong", wrap ? "items-baseline" : "items-center", className)}
      style={{ color: speakerColour(id) }}
    >
      <span aria-hidden="true" className="own-colour size-2 shrink-0 rounded-full" style={{ background: speakerColour(id) }} />
      <span className={cx("min-w-0", wrap ? "wrap-anywhere" : "truncate")}>{name}</span>
    </span>
  );
}
