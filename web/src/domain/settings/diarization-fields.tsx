/** Options for speakers. */
import { useTranslation } from "react-i18next";
import { useLocale } from "@/hooks/use-locale";
import { formatSpan } from "@/lib/format";
import { limits } from "@/rules";
import { useFields } from "./fields-context";
import { OptionGroup, SwitchField } from "./option";
import { PlanNote } from "./plan-note";
import { SpeakersField } from "./speakers-field";

export function DiarizationFields() {
  const { t } = useTranslation("configure");
  return (
    <OptionGroup label={t("speakers.label")}>
      <SwitchField field="diarization" label={t("speakers.diarization")} note={<Cost />} />
      <SwitchField field="sentence_diarization" label={t("speakers.sentence")} hint={t("speakers.sentenceHint")} />
      <SpeakersField />
      <PlanNote fields={["diarization"]} />
    </OptionGroup>
  );
}

/** The additional time, in minutes if the recording's duration is known. */
function Cost() {
  const { t } = useTranslation(["configure", "rules"]);
  const locale = useLocale();
  const { duration } = useFields();
  const percent = limits().diarization_extra_percent;
  return (
    <>
      {t("rules:notes.diarization", { percent })}
      {duration !== null && `. ${t("speakers.estimate", { span: formatSpan((duration * percent) / 100, locale) })}`}
    </>
  );
}
