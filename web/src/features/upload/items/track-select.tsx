/** Which of a file's sound tracks is to be transcribed: the film's own language, the commentary, one microphone of two. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { CONTROL } from "@/components/field";
import { cx } from "@/lib/class-names";
import type { AudioTrack } from "../tray-model";

interface TrackSelectProps {
  /** Of which recording, for screen readers. */
  name: string;
  tracks: readonly AudioTrack[];
  /** Null leaves the choice to the server, which takes the file's default. */
  value: number | null;
  onChange: (track: number | null) => void;
}

export function TrackSelect({ name, tracks, value, onChange }: TrackSelectProps) {
  const { t } = useTranslation("upload");
  const id = useId();
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
      <label htmlFor={id} className="text-sm text-ink-soft">
        {t("tracks.label")}
        <span className="sr-only"> {name}</span>
      </label>
      <select
        id={id}
        value={value ?? ""}
        onChange={(event) => onChange(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}
        className={cx(CONTROL, "max-w-96 shrink basis-72")}
      >
        <option value="">{t("tracks.default")}</option>
        {tracks.map((track, at) => (
          <option key={track.index} value={track.index}>
            {[
              t("tracks.number", { number: at + 1 }),
              track.title,
              track.language,
              t("tracks.channels", { count: track.channels }),
            ]
              .filter(Boolean)
              .join(" · ")}
          </option>
        ))}
      </select>
    </div>
  );
}
