/** How many speakers there are, where the user knows: a given number is more certain than a found one. */
import { useTranslation } from "react-i18next";
import { CONTROL, Field } from "@/components/field";
import { wantsSpeakers } from "@/rules";
import { useFields } from "./fields-context";

/** Stands there only where speakers are told apart, or where a count is left that is in the way. */
export function SpeakersField() {
  const { t } = useTranslation("configure");
  const { settings, change, errorOf } = useFields();
  const speakers = settings.speakers;
  const error = errorOf("speakers");
  if (!wantsSpeakers(settings) && !speakers) return null;
  return (
    // Below both options, and of both: further from the last one than they are from each other.
    <div data-field="speakers" className="mt-1.5 pl-7.5">
      {/* The error says the same as the hint, and more. */}
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
