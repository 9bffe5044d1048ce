/** Length of the summary in words. */
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { CONTROL, Field } from "@/components/field";
import { limits } from "@/rules";
import { DisabledControl, describedBy, showDisabledReason } from "./disabled-control";
import { useFields } from "./fields-context";
import { MissingBadge, MissingNote } from "./missing-ability";
import { TextDestination } from "./text-destination";
import { useRestriction } from "./use-restriction";

export function SummaryField() {
  const { t } = useTranslation("configure");
  const { settings, change, errorOf } = useFields();
  const id = useId();
  const value = settings.summarize;
  const { reason, lack } = useRestriction({ field: "summarize", on: value > 0 });
  // As typed: an empty field is allowed while typing.
  const [typed, setTyped] = useState<string | null>(null);
  const displayed = typed !== null && numberOf(typed) === value ? typed : String(value);
  return (
    <div data-field="summarize" className="flex flex-col gap-1.5">
      <DisabledControl text={reason} id={`${id}-obstacle`}>
        <Field
          label={
            <>
              {t("summary.label")}
              {lack !== null && value === 0 && <MissingBadge lack={lack} />}
            </>
          }
          error={errorOf("summarize")}
        >
          {(wiring) => (
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <input
                {...wiring}
                type="number"
                inputMode="numeric"
                min={0}
                max={limits().max_summarize}
                step={10}
                className={`${CONTROL} figures max-w-28 aria-disabled:cursor-not-allowed aria-disabled:border-rule-strong aria-disabled:bg-paper-sunk aria-disabled:text-ink-faint`}
                readOnly={reason !== null}
                aria-disabled={reason !== null || undefined}
                aria-describedby={describedBy(
                  wiring["aria-describedby"],
                  `${id}-hint`,
                  reason && `${id}-obstacle`,
                  lack !== null && value > 0 && `${id}-lack`,
                )}
                value={displayed}
                onClick={() => showDisabledReason(reason)}
                onChange={(event) => {
                  const next = event.currentTarget.value;
                  setTyped(next);
                  change({ summarize: numberOf(next) });
                }}
                onBlur={() => setTyped(null)}
              />
              <span id={`${id}-hint`} className="text-sm text-ink-faint">
                {t("summary.hint", { max: limits().max_summarize })}
              </span>
            </div>
          )}
        </Field>
      </DisabledControl>
      <TextDestination feature="summarization" />
      {lack !== null && value > 0 && <MissingNote lack={lack} id={`${id}-lack`} />}
    </div>
  );
}

const numberOf = (typed: string): number => (typed.trim() === "" ? 0 : Number(typed));
