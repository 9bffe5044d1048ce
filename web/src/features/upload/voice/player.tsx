/** Plays a recording before it is used. */
import { Pause, Play } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/icon-button";
import { formatClock } from "@/lib/format";
import { theRecording } from "./the-recording";

interface PlayerProps {
  /** In seconds; the browser knows it only at the end of the file. */
  duration: number;
}

export function Player({ duration }: PlayerProps) {
  const { t } = useTranslation("voice");
  const url = useRecordingUrl();
  const audio = useRef<HTMLAudioElement>(null);
  const [playing, setPlaying] = useState(false);
  const [at, setAt] = useState(0);

  if (url === null) {
    return <p className="text-sm text-ink-faint">{t("player.partial")}</p>;
  }
  const toggle = () => (playing ? audio.current?.pause() : void audio.current?.play());
  return (
    <section aria-label={t("player.label")} className="flex w-full max-w-md items-center gap-3">
      {/* biome-ignore lint/a11y/useMediaCaption: its text is what it is recorded for */}
      <audio
        ref={audio}
        src={url}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onTimeUpdate={(event) => setAt(event.currentTarget.currentTime)}
      />
      <IconButton
        label={t(playing ? "player.pause" : "player.play")}
        disabled={url === undefined}
        onClick={toggle}
        className="border border-edge bg-paper-raised"
      >
        {playing ? <Pause aria-hidden="true" /> : <Play aria-hidden="true" />}
      </IconButton>
      <input
        type="range"
        aria-label={t("player.position")}
        aria-valuetext={formatClock(at)}
        className="min-w-0 grow accent-voice"
        min={0}
        max={Math.max(1, duration)}
        step={0.1}
        value={Math.min(at, duration)}
        disabled={url === undefined}
        onChange={(event) => {
          const place = event.currentTarget.valueAsNumber;
          setAt(place);
          if (audio.current) {
            audio.current.currentTime = place;
          }
        }}
      />
      <span className="figures text-sm text-ink-soft">
        {formatClock(at)} / {formatClock(duration)}
      </span>
    </section>
  );
}

/** Undefined while it is assembled, null if it is not complete in this browser. */
function useRecordingUrl(): string | null | undefined {
  const [url, setUrl] = useState<string | null>();
  useEffect(() => {
    let current = true;
    let objectUrl: string | null = null;
    void theRecording
      .getState()
      .play()
      .then((file) => {
        if (current) {
          objectUrl = file && URL.createObjectURL(file);
          setUrl(objectUrl);
        }
      });
    return () => {
      current = false;
      if (objectUrl) {
        URL.revokeObjectURL(objectUrl);
      }
    };
  }, []);
  return url;
}
