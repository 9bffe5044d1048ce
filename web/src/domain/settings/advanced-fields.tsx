/** Options besides the text itself. */
import { LockKeyhole } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { TRANSLATE_TO_ENGLISH } from "@/rules/constants";
import { ChoiceField } from "./choice-field";
import { ClassificationFields } from "./classification-fields";
import { useFields } from "./fields-context";
import { Option, OptionGroup, SwitchField } from "./option";
import { PlanNote } from "./plan-note";
import { PromptField } from "./prompt-field";
import { QualityNote } from "./quality-note";
import { SummaryField } from "./summary-field";
import { choiceRows, rowsOf } from "./table";
import { TextDestination } from "./text-destination";
import { TranslationField } from "./translation-field";

export function AdvancedFields() {
  const { t } = useTranslation("configure");
  const { settings } = useFields();
  const planned = rowsOf("advanced").filter(({ plan }) => plan !== null);
  return (
    <div className="flex flex-col gap-4">
      {settings.transcription_type === "lite" ? (
        <LiteNote />
      ) : (
        <PlanNote fields={planned.map(({ name }) => name)} text={t("lack.plan_some")} />
      )}
      <div className="grid gap-x-10 gap-y-5 @2xl:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <OptionGroup label={t("result.label")}>
            <SwitchField
              field="multichannel"
              ability="multichannel"
              label={t("result.multichannel")}
              hint={t("result.multichannelHint")}
            />
            <SwitchField field="return_as_file" label={t("result.file")} hint={t("result.fileHint")} />
            <div>
              <TranslateOption />
              <QualityNote codes={TRANSLATION_WARNINGS} />
            </div>
          </OptionGroup>
          {choiceRows("advanced").map((row) => (
            <ChoiceField key={row.name} row={row} />
          ))}
          <PromptField />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <SummaryField />
          <OptionGroup label={t("analysis.label")}>
            <SwitchField field="overall_sentiment_analysis" label={t("analysis.sentiment")} />
            <ClassificationFields />
          </OptionGroup>
        </div>
      </div>
      <OptionGroup label={t("translation.label")}>
        <TranslationField field="llm_translation" />
        <TranslationField field="srt_translation" />
        <TextDestination feature="llm_translation" />
      </OptionGroup>
    </div>
  );
}

/** Warnings that the translation by the recognition model causes. */
const TRANSLATION_WARNINGS = ["translation_unsuitable"];

function TranslateOption() {
  const { t } = useTranslation(["configure", "rules"]);
  const { settings, change, errorOf } = useFields();
  const on = settings.translate !== "";
  const lite = settings.transcription_type === "lite";
  return (
    <Option
      field="translate"
      label={t("result.translate")}
      hint={t("result.translateHint")}
      ability="translate"
      checked={on}
      onChange={(checked) => change({ translate: checked ? TRANSLATE_TO_ENGLISH : "" })}
      error={errorOf("translate")}
      {...(on && {
        // Lite supports English only, so there is nothing to translate.
        note: lite ? t("result.translateLite") : <span className="text-warn">{t("rules:notes.translate_replaces")}</span>,
      })}
    />
  );
}

/** Why most of this tab is disabled, and how to enable it. */
function LiteNote() {
  const { t } = useTranslation("configure");
  const { chooseMode } = useFields();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded bg-paper-sunk px-3.5 py-2 text-sm @2xl:py-1">
      <p className="flex flex-1 basis-72 items-start gap-2">
        <LockKeyhole aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-ink-faint" />
        {t("lite.note")}
      </p>
      <Button size="small" onClick={() => chooseMode("full")}>
        {t("lite.choose")}
      </Button>
    </div>
  );
}
