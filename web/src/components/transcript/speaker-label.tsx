/** Who speaks: a dot in the speaker's colour and the name. */
import { cx } from "@/lib/class-names";
import { speakerColour } from "./speakers";

interface SpeakerLabelProps {
  /** `SPEAKER_n`. */
  id: string;
  name: string;
  className?: string;
}

export function SpeakerLabel({ id, name, className }: SpeakerLabelProps) {
  return (
    <span
      className={cx("inline-flex min-w-0 items-center gap-1.5 text-sm font-strong", className)}
      style={{ color: speakerColour(id) }}
    >
      <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-current" />
      <span className="min-w-0 truncate">{name}</span>
    </span>
  );
}
