/** The number of speakers, if the user knows it: more reliable than automatic detection. */
import { useTranslation } from "react-i18next";
import { CONTROL, Field } from "@/components/field";
import { wantsSpeakers } from "@/rules";
import { useFields } from "./fields-context";

/** Shown only if diarization is on, or if a leftover number is invalid. */
export function SpeakersField() {
  const { t } = useTranslation("configure");
  const { settings, change, errorOf } = useFields();
  const speakers = settings.speakers;
  const error = errorOf("speakers");
  if (!wantsSpeakers(settings) && !speakers) return null;
  return (
    // It belongs to both options above, so it is set apart from the last one.
    <div data-field="speakers" className="mt-1.5 pl-7.5">
      {/* The error repeats the hint. */}
      <Field label={t("speakers.count")} hint={!error && t("speakers.count_hint")} error={error}>
        {(wiring) => (
          <input
            {...wiring}
            type="text"
            autoComplete="off"
            className={`${CONTROL} figures max-w-28`}
            value={speakers}
            onChange={(event) => change({ speakers: event.currentTarget.value })}
          />
        )}
      </Field>
    </div>
  );
}
