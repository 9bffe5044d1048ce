/** What the language model is to do with the text, in the reader's own words. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { CONTROL, Field } from "@/components/field";
import { limits } from "@/rules";
import { Counter } from "./counter";
import { useFields } from "./fields-context";
import { LackMark, LackNote, useLackReason } from "./lack";
import { describedBy, Obstacle, sayObstacle } from "./obstacle";
import { TextGoes } from "./text-goes";

export function PromptField() {
  const { t } = useTranslation("configure");
  const { settings, change, errorOf, obstacle, lacks } = useFields();
  const id = useId();
  const lackReason = useLackReason();
  const forbidden = obstacle("insights");
  const lacking = forbidden === null && lacks("insights");
  const prompt = settings.custom_prompt;
  const reason = forbidden ?? (lacking && prompt === "" ? lackReason("insights") : null);
  const idle = reason !== null && prompt === "";
  return (
    <div data-field="custom_prompt" className="flex flex-col gap-1.5">
      <Obstacle text={reason} id={`${id}-obstacle`}>
        <Field
          label={
            <>
              {t("prompt.label")}
              {lacking && prompt === "" && <LackMark />}
            </>
          }
          hint={
            <span className="flex justify-between gap-3">
              {t("prompt.hint")}
              {/* As the rules count: a letter outside of the basic plane is one. */}
              <Counter value={[...prompt].length} max={limits().max_custom_prompt} />
            </span>
          }
          error={errorOf("custom_prompt")}
        >
          {(wiring) => (
            <textarea
              {...wiring}
              // Closed and empty it leaves its place to the note above that says why.
              rows={idle ? 1 : 3}
              className={`${CONTROL} h-auto resize-y py-2 aria-disabled:resize-none aria-disabled:cursor-not-allowed aria-disabled:border-rule-strong aria-disabled:bg-paper-sunk`}
              readOnly={reason !== null}
              aria-disabled={reason !== null || undefined}
              aria-describedby={describedBy(
                wiring["aria-describedby"],
                reason && `${id}-obstacle`,
                lacking && prompt !== "" && `${id}-lack`,
              )}
              placeholder={idle ? undefined : t("prompt.placeholder")}
              value={prompt}
              onClick={() => sayObstacle(reason)}
              onChange={(event) => change({ custom_prompt: event.currentTarget.value })}
            />
          )}
        </Field>
      </Obstacle>
      <TextGoes feature="insights" />
      {lacking && prompt !== "" && <LackNote ability="insights" id={`${id}-lack`} />}
    </div>
  );
}
