/** How many speakers there are, where the user knows: a given number is more certain than a found one. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { CONTROL, Field } from "@/components/field";
import { useFields } from "./fields-context";
import { describedBy } from "./obstacle";

/** Stands there only where speakers are told apart, or where a count is left that is in the way. */
export function SpeakersField() {
  const { t } = useTranslation("configure");
  const { settings, change, errorOf } = useFields();
  const id = useId();
  const speakers = settings.speakers;
  if (!(settings.diarization || settings.sentence_diarization || speakers)) return null;
  return (
    <div data-field="speakers" className="pl-7.5">
      <Field label={t("speakers.count")} error={errorOf("speakers")}>
        {(wiring) => (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <input
              {...wiring}
              type="text"
              autoComplete="off"
              className={`${CONTROL} figures max-w-28`}
              aria-describedby={describedBy(wiring["aria-describedby"], `${id}-hint`)}
              value={speakers}
              onChange={(event) => change({ speakers: event.currentTarget.value })}
            />
            <span id={`${id}-hint`} className="text-sm text-ink-faint">
              {t("speakers.count_hint")}
            </span>
          </div>
        )}
      </Field>
    </div>
  );
}
