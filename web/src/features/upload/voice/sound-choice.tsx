/** The source of sound: the microphone or, if the browser supports it, a tab or the whole computer. */
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { CONTROL, Field } from "@/components/field";
import { cx } from "@/lib/class-names";
import { offersSystemAudio, type SoundSource } from "./capture";
import { useMicrophones } from "./devices";
import { theRecording } from "./the-recording";

const SOURCES: readonly SoundSource[] = ["microphone", "system", "both"];

export function SoundChoice() {
  const { t } = useTranslation("voice");
  const source = useStore(theRecording, (state) => state.source);
  const deviceId = useStore(theRecording, (state) => state.deviceId);
  const phase = useStore(theRecording, (state) => state.phase);
  const microphones = useMicrophones(phase === "recording");
  const { choose } = theRecording.getState();
  const withSystem = offersSystemAudio(navigator.mediaDevices);
  const withMicrophones = microphones.length > 0 && source !== "system";
  const known = microphones.some(({ id }) => id === deviceId);

  if (!withSystem && !withMicrophones) {
    return null;
  }
  return (
    <div className={cx("grid w-full gap-4 text-left", withSystem && withMicrophones ? "max-w-2xl sm:grid-cols-2" : "max-w-sm")}>
      {withSystem && (
        <Field label={t("source.label")} hint={source === "microphone" ? undefined : t("source.hint")}>
          {(wiring) => (
            <select
              {...wiring}
              className={CONTROL}
              value={source}
              disabled={phase === "asking"}
              onChange={(event) => void choose({ source: event.currentTarget.value as SoundSource })}
            >
              {SOURCES.map((choice) => (
                <option key={choice} value={choice}>
                  {t(`source.${choice}`)}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {withMicrophones && (
        <Field label={t("device.label")}>
          {(wiring) => (
            <select
              {...wiring}
              className={CONTROL}
              value={known ? (deviceId ?? "") : ""}
              disabled={phase === "asking"}
              onChange={(event) => void choose({ deviceId: event.currentTarget.value || null })}
            >
              <option value="">{t("device.default")}</option>
              {microphones.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
    </div>
  );
}
