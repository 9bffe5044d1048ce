/** The user's own instruction to the language model. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { CONTROL, Field } from "@/components/field";
import { limits } from "@/rules";
import { Counter } from "./counter";
import { DisabledControl, describedBy, showDisabledReason } from "./disabled-control";
import { useFields } from "./fields-context";
import { MissingBadge, MissingNote } from "./missing-ability";
import { TextDestination } from "./text-destination";
import { useRestriction } from "./use-restriction";

export function PromptField() {
  const { t } = useTranslation("configure");
  const { settings, change, errorOf } = useFields();
  const id = useId();
  const prompt = settings.custom_prompt;
  const { reason, lack } = useRestriction({ field: "custom_prompt", on: prompt !== "" });
  const idle = reason !== null && prompt === "";
  return (
    <div data-field="custom_prompt" className="flex flex-col gap-1.5">
      <DisabledControl text={reason} id={`${id}-obstacle`}>
        <Field
          label={
            <>
              {t("prompt.label")}
              {lack !== null && prompt === "" && <MissingBadge lack={lack} />}
            </>
          }
          hint={
            <span className="flex justify-between gap-3">
              {t("prompt.hint")}
              {/* Counted like in the rules: a character outside of the BMP is one. */}
              <Counter value={[...prompt].length} max={limits().max_custom_prompt} />
            </span>
          }
          error={errorOf("custom_prompt")}
        >
          {(wiring) => (
            <textarea
              {...wiring}
              // Disabled and empty it is small, to make room for the note above.
              rows={idle ? 1 : 3}
              className={`${CONTROL} h-auto resize-y py-2 aria-disabled:resize-none aria-disabled:cursor-not-allowed aria-disabled:border-rule-strong aria-disabled:bg-paper-sunk`}
              readOnly={reason !== null}
              aria-disabled={reason !== null || undefined}
              aria-describedby={describedBy(
                wiring["aria-describedby"],
                reason && `${id}-obstacle`,
                lack !== null && prompt !== "" && `${id}-lack`,
              )}
              placeholder={idle ? undefined : t("prompt.placeholder")}
              value={prompt}
              onClick={() => showDisabledReason(reason)}
              onChange={(event) => change({ custom_prompt: event.currentTarget.value })}
            />
          )}
        </Field>
      </DisabledControl>
      <TextDestination feature="insights" />
      {lack !== null && prompt !== "" && <MissingNote lack={lack} id={`${id}-lack`} />}
    </div>
  );
}
