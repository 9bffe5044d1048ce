/** The settings that every transcription needs. */
import { Info } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { ChoiceField } from "./choice-field";
import { DiarizationFields } from "./diarization-fields";
import { useFields } from "./fields-context";
import { LanguageSelect } from "./language-select";
import { ModeCards } from "./mode-cards";
import { OptionGroup, SwitchField } from "./option";
import { QualityNote } from "./quality-note";
import { SpokenLanguages } from "./spoken-languages";
import { choiceRows } from "./table";
import { VocabularyField } from "./vocabulary-field";

interface BasicFieldsProps {
  /** Stacks the fields in a narrow space. */
  narrow: boolean;
}

export function BasicFields({ narrow }: BasicFieldsProps) {
  if (narrow) {
    return (
      <div className="flex flex-col gap-5">
        <ModeCards />
        <Language />
        {/* Defaults apply to any later recording, whatever the default language is. */}
        <SpokenLanguagesField />
        <DiarizationFields />
        <Times />
        <Choices />
        <VocabularyField />
      </div>
    );
  }
  return (
    <div className="grid gap-x-10 gap-y-5 @2xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] @2xl:grid-rows-[auto_1fr]">
      <div className="min-w-0">
        <ModeCards />
      </div>
      <div className="flex min-w-0 flex-col gap-4 @2xl:row-span-2">
        <LanguageAndSpoken />
        <DiarizationFields />
        <Times />
        <Choices />
      </div>
      <VocabularyField />
    </div>
  );
}

/**
 * The language, and those that may be spoken if it is detected. Few recordings need these: as long as there are none, a
 * button opens their field.
 */
function LanguageAndSpoken() {
  const { t } = useTranslation("configure");
  const { settings, errorOf } = useFields();
  const [opened, setOpened] = useState(false);
  const field = useRef<HTMLDivElement>(null);
  const detected = settings.language_code === "auto";
  const shown = errorOf("languages") !== undefined || (detected && (opened || settings.languages.length > 0));
  useEffect(() => {
    if (opened) field.current?.querySelector("input")?.focus();
  }, [opened]);
  return (
    <>
      <Language
        beside={
          detected &&
          !shown && (
            <Button look="quiet" size="small" className="-my-1.5 -mr-3" onClick={() => setOpened(true)}>
              {t("spoken.open")}
            </Button>
          )
        }
      />
      {shown && (
        <div ref={field}>
          <SpokenLanguagesField />
        </div>
      )}
    </>
  );
}

function SpokenLanguagesField() {
  const { settings, change, errorOf, brokenEntries, languagesHint } = useFields();
  return (
    <SpokenLanguages
      languages={settings.languages}
      onChange={(languages) => change({ languages })}
      error={errorOf("languages")}
      broken={brokenEntries("languages")}
      hint={languagesHint}
    />
  );
}

/** Warnings that the language and the mode cause. */
const LANGUAGE_WARNINGS = ["lite_not_english"];
/** Said beside the label in few words, since it may be there each time; a click says it in full, with what helps. */
const SERVED_POORLY = "language_served_poorly";

function Language({ beside }: { beside?: ReactNode }) {
  const { t } = useTranslation("configure");
  const { warnings } = useFields();
  const [inFull, setInFull] = useState(false);
  const poor = warnings.find(({ code }) => code === SERVED_POORLY);
  return (
    <div>
      <LanguageSelect
        beside={
          <>
            <span role="status">
              {poor && (
                <Button
                  look="quiet"
                  size="small"
                  className="-my-1.5 -mr-3"
                  aria-expanded={inFull}
                  onClick={() => setInFull(!inFull)}
                >
                  <Info aria-hidden="true" className="text-note" />
                  {t("language.poor", { percent: poor.params.percent })}
                </Button>
              )}
            </span>
            {beside}
          </>
        }
      />
      <QualityNote codes={inFull ? [...LANGUAGE_WARNINGS, SERVED_POORLY] : LANGUAGE_WARNINGS} />
    </div>
  );
}

const Choices = () => choiceRows("basic").map((row) => <ChoiceField key={row.name} row={row} />);

function Times() {
  const { t } = useTranslation("configure");
  return (
    <OptionGroup label={t("timestamps.label")}>
      <SwitchField field="sentence_level_timestamps" label={t("timestamps.sentence")} hint={t("timestamps.sentenceHint")} />
      <SwitchField field="word_level_timestamps" label={t("timestamps.word")} hint={t("timestamps.wordHint")} />
      <SwitchField field="srt" label={t("timestamps.srt")} hint={t("timestamps.srtHint")} />
    </OptionGroup>
  );
}
