/** Selects one of several audio tracks for recognition. */
import { useTranslation } from "react-i18next";
import { CONTROL, Field } from "@/components/field";
import { type MediaTrack, selectedTrack } from "@/lib/media-facts";
import { useTrackLabel } from "./track-label";

interface TrackSelectProps {
  tracks: readonly MediaTrack[];
  /** Null: shows the server's default track. */
  track: number | null;
  onTrack: (track: number) => void;
  className?: string;
}

export function TrackSelect({ tracks, track, onTrack, className = "" }: TrackSelectProps) {
  const { t } = useTranslation("media-facts");
  const label = useTrackLabel();
  return (
    <Field label={t("track.label")} className={className}>
      {(wiring) => (
        <select
          {...wiring}
          className={CONTROL}
          value={selectedTrack(tracks, track)}
          onChange={(event) => onTrack(Number(event.currentTarget.value))}
        >
          {tracks.map((each) => (
            <option key={each.index} value={each.index}>
              {label(each)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
