/** Which times a transcript is to have. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Checkbox } from "@/components/checkbox";
import type { FieldProps } from "./settings";

export function Timestamps({ settings, onChange }: FieldProps) {
  const { t } = useTranslation("configure");
  const id = useId();
  return (
    <fieldset aria-labelledby={id} className="flex flex-col gap-2.5">
      <legend id={id} className="mb-1.5 text-[0.9375rem] font-strong">
        {t("timestamps.label")}
      </legend>
      <Checkbox
        checked={settings.sentence_level_timestamps}
        onChange={(sentence_level_timestamps) => onChange({ sentence_level_timestamps })}
      >
        {t("timestamps.sentence")} <span className="text-ink-faint">— {t("timestamps.sentenceHint")}</span>
      </Checkbox>
      <Checkbox
        checked={settings.word_level_timestamps}
        onChange={(word_level_timestamps) => onChange({ word_level_timestamps })}
      >
        {t("timestamps.word")} <span className="text-ink-faint">— {t("timestamps.wordHint")}</span>
      </Checkbox>
    </fieldset>
  );
}
