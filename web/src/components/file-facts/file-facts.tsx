/** What a chosen file is: its name, size and length, a small waveform, and the audio track to take where it has several. */
import { useLocale } from "@/hooks/use-locale";
import { formatBytes, formatClock } from "@/lib/format";
import type { MediaTrack } from "@/lib/media-facts";

export interface FileFactsProps {
  name: string;
  /** Bytes; null where it is unknown. */
  size: number | null;
  /** Seconds; null where it is unknown. */
  duration: number | null;
  /** Loudness along the recording, each 0 to 1; null where it is unknown. */
  peaks: readonly number[] | null;
  tracks: readonly MediaTrack[];
  /** `reading`: what is still unknown may come, and its place is kept. */
  state: "reading" | "read";
  /** Index of the chosen track; null leaves the choice to the server. */
  track: number | null;
  /** Null: the choice is shown no more, as when the job is being made. */
  onTrack: ((track: number) => void) | null;
  className?: string;
}

export function FileFacts({ name, size, duration, className }: FileFactsProps) {
  const locale = useLocale();
  return (
    <div className={className}>
      <p className="truncate font-strong" title={name}>
        {name}
      </p>
      <p className="text-sm text-ink-soft">
        {size !== null && formatBytes(size, locale)} {duration !== null && formatClock(duration)}
      </p>
    </div>
  );
}
