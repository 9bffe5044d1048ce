/** The current recording: its length, level, upload progress and actions. */
import { Check, Circle, Mic, Pause, Play, RotateCcw, Square } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { Button } from "@/components/button";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatSpan } from "@/lib/format";
import { recordingTimer } from "@/rules";
import { LevelMeter } from "./level-meter";
import { Player } from "./player";
import { SoundChoice } from "./sound-choice";
import { theRecording } from "./the-recording";
import { TransferLine } from "./transfer-line";
import { HEADER_BYTES } from "./wav";

interface RecorderProps {
  onUse: () => void;
  onAgain: () => void;
}

export function Recorder({ onUse, onAgain }: RecorderProps) {
  const { t } = useTranslation("voice");
  const locale = useLocale();
  const { phase, seconds, secondsLeft, open, id, bytes } = useStore(theRecording);
  const finished = phase === "recorded" || phase === "using";
  const recording = phase === "recording";
  return (
    <>
      <StateLine />
      <p
        role="timer"
        aria-label={t("timer")}
        className={cx("figures text-6xl leading-none", recording ? "text-ink" : "text-ink-soft")}
        data-testid="voice-timer"
      >
        {recordingTimer(seconds)}
      </p>
      {finished ? <Player key={`${id} ${bytes}`} duration={seconds} /> : <LevelMeter live={recording} />}
      {!open && phase !== "using" && <p className="text-sm text-warn">{t(secondsLeft === 0 ? "left.reached" : "left.closed")}</p>}
      {recording && secondsLeft !== null && (
        <p className="text-sm text-warn">{t("left.until", { time: formatSpan(secondsLeft, locale) })}</p>
      )}
      <Controls onUse={onUse} onAgain={onAgain} />
      <TransferLine />
      {!finished && <SoundChoice />}
    </>
  );
}

function StateLine() {
  const { t } = useTranslation("voice");
  const phase = useStore(theRecording, (state) => state.phase);
  const statusText = () => {
    switch (phase) {
      case "recording":
      case "paused":
      case "recorded":
      case "using":
        return t(`state.${phase}`);
      case "asking":
        return t("start.asking");
      case "idle":
        return "";
    }
  };
  return (
    <p role="status" className="flex items-center gap-2 font-strong">
      {phase === "recording" && <Circle aria-hidden="true" className="size-3 animate-pulse fill-voice text-voice" />}
      {phase === "paused" && <Pause aria-hidden="true" className="size-4 text-warn" />}
      {phase === "recorded" && <Check aria-hidden="true" className="size-4 text-good" />}
      {statusText()}
    </p>
  );
}

function Controls({ onUse, onAgain }: RecorderProps) {
  const { t } = useTranslation(["voice", "common"]);
  const phase = useStore(theRecording, (state) => state.phase);
  const open = useStore(theRecording, (state) => state.open);
  const empty = useStore(theRecording, (state) => state.bytes <= HEADER_BYTES);
  const box = useRef<HTMLDivElement>(null);
  const { pause, resume, stop, callOff } = theRecording.getState();
  const finished = phase === "recorded" || phase === "using";

  // A button that has gone must not leave the keyboard nowhere.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after every change of phase
  useEffect(() => {
    if (document.activeElement === document.body) {
      box.current?.querySelector<HTMLElement>("button:not(:disabled)")?.focus({ preventScroll: true });
    }
  }, [phase]);

  return (
    <div ref={box} className="flex flex-wrap items-center justify-center gap-3">
      {finished ? (
        <>
          <Button look="primary" busy={phase === "using"} disabled={empty} onClick={onUse}>
            {t("actions.use")}
          </Button>
          {phase === "using" ? (
            <Button onClick={callOff}>{t("common:actions.cancel")}</Button>
          ) : (
            <>
              {open && (
                <Button onClick={() => void resume()}>
                  <Mic aria-hidden="true" />
                  {t("actions.resume")}
                </Button>
              )}
              <Button look="quiet" onClick={onAgain}>
                <RotateCcw aria-hidden="true" />
                {t("actions.again")}
              </Button>
            </>
          )}
        </>
      ) : (
        <>
          {phase === "recording" ? (
            <Button onClick={pause}>
              <Pause aria-hidden="true" />
              {t("actions.pause")}
            </Button>
          ) : (
            <Button busy={phase === "asking"} onClick={() => void resume()}>
              <Play aria-hidden="true" />
              {t("actions.resume")}
            </Button>
          )}
          <Button look="primary" disabled={phase === "asking"} onClick={() => void stop()}>
            <Square aria-hidden="true" className="fill-current" />
            {t("actions.stop")}
          </Button>
        </>
      )}
    </div>
  );
}
