/** What the language model is to do with the text, in the reader's own words. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { CONTROL, Field } from "@/components/field";
import { limits } from "@/rules";
import { Counter } from "./counter";
import { useFields } from "./fields-context";
import { LackMark, LackNote } from "./lack";
import { describedBy, Obstacle, sayObstacle } from "./obstacle";

export function PromptField() {
  const { t } = useTranslation("configure");
  const { settings, change, errorOf, obstacle, lacks } = useFields();
  const id = useId();
  const reason = obstacle("insights");
  const lacking = reason === null && lacks("insights");
  const prompt = settings.custom_prompt;
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
              rows={4}
              className={`${CONTROL} h-auto min-h-26 resize-y py-2 aria-disabled:cursor-not-allowed aria-disabled:border-rule-strong aria-disabled:bg-paper-sunk`}
              readOnly={reason !== null}
              aria-disabled={reason !== null || undefined}
              aria-describedby={describedBy(
                wiring["aria-describedby"],
                reason && `${id}-obstacle`,
                lacking && prompt !== "" && `${id}-lack`,
              )}
              placeholder={t("prompt.placeholder")}
              value={prompt}
              onClick={() => sayObstacle(reason)}
              onChange={(event) => change({ custom_prompt: event.currentTarget.value })}
            />
          )}
        </Field>
      </Obstacle>
      {lacking && prompt !== "" && <LackNote ability="insights" id={`${id}-lack`} />}
    </div>
  );
}
