/** Details of a chosen file: name, size, duration, a small waveform, and the audio track if there are several. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "@/components/skeleton";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatBytes, formatClock } from "@/lib/format";
import { type MediaTrack, PEAKS } from "@/lib/media-facts";
import { FileName } from "./file-name";
import { SmallWaveform, WaveformPlaceholder } from "./small-waveform";
import { TrackSelect } from "./track-select";

export interface FileFactsProps {
  name: string;
  /** In bytes; null if unknown. */
  size: number | null;
  /** In seconds; null if unknown. */
  duration: number | null;
  /** The waveform, each value from 0 to 1; null if unknown. */
  peaks: readonly number[] | null;
  tracks: readonly MediaTrack[];
  /** `reading`: unknown values may still arrive, and their space is reserved. */
  state: "reading" | "read";
  /** Index of the chosen track; null leaves the choice to the server. */
  track: number | null;
  /** Null if the track cannot be changed, e.g. while the job is being created. */
  onTrack: ((track: number) => void) | null;
  /** Progress of the upload. It takes the waveform's place, so that nothing below moves when it disappears. */
  progress?: ReactNode;
  className?: string;
}

export function FileFacts({ name, size, duration, peaks, tracks, state, track, onTrack, progress, className }: FileFactsProps) {
  const reading = state === "reading";
  return (
    <div className={cx("@container min-w-0", className)}>
      <div className="flex flex-col gap-x-6 gap-y-2 @lg:flex-row @lg:items-center">
        <div className="min-w-0 grow">
          <FileName name={name} />
          <Measures size={size} duration={duration} reading={reading} />
        </div>
        <Waveform peaks={peaks} reading={reading} progress={progress} />
      </div>
      {onTrack && tracks.length > 1 && (
        <TrackSelect tracks={tracks} track={track} onTrack={onTrack} className="mt-3 @lg:max-w-md" />
      )}
    </div>
  );
}

function Measures({ size, duration, reading }: Pick<FileFactsProps, "size" | "duration"> & { reading: boolean }) {
  const { t } = useTranslation("media-facts");
  const locale = useLocale();
  return (
    <dl aria-busy={reading} className="flex min-h-6 items-center gap-x-3 text-sm text-ink-soft">
      {(duration !== null || reading) && (
        <div>
          <dt className="sr-only">{t("duration")}</dt>
          <dd className="figures">
            {duration !== null ? (
              formatClock(duration)
            ) : (
              <>
                <Skeleton className="h-3.5 w-10" />
                <span className="sr-only">{t("reading")}</span>
              </>
            )}
          </dd>
        </div>
      )}
      {size !== null && (
        <div>
          <dt className="sr-only">{t("size")}</dt>
          <dd className="figures">{formatBytes(size, locale)}</dd>
        </div>
      )}
    </dl>
  );
}

/** Hidden if there is no waveform: this is not a problem with the recording. */
function Waveform({ peaks, reading, progress }: Pick<FileFactsProps, "peaks" | "progress"> & { reading: boolean }) {
  const place = "h-8 w-full shrink-0 @lg:h-10 @lg:w-72";
  if (progress) return <div className={cx("flex items-center", place)}>{progress}</div>;
  if (peaks) return <SmallWaveform peaks={peaks} className={place} />;
  return reading && <WaveformPlaceholder bars={PEAKS} className={place} />;
}
