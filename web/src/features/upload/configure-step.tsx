/** Step 2: how the recording is to be transcribed. It can be filled in while the file is still on its way. */
import { ArrowLeft, CircleAlert } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Violation } from "@/api";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { CONTROL, Field } from "@/components/field";
import { useLocale } from "@/hooks/use-locale";
import { useViolationText } from "@/hooks/use-violation-text";
import { vocabularyTerms } from "@/rules";
import { FormAlert } from "./form-alert";
import { languageOptions } from "./language-options";
import { ModeCards } from "./mode-cards";
import type { Settings } from "./settings-draft";

interface ConfigureStepProps {
  settings: Settings;
  violations: readonly Violation[];
  /** The list of violations at the top is shown for a few seconds; those beside their fields stay. */
  listed: boolean;
  /** Why the job could not be created. */
  failure: string | null;
  /** Rises with every refusal: the alert calls for the reader again. */
  refusals: number;
  ready: boolean;
  queued: boolean;
  submitting: boolean;
  onChange: (change: Partial<Settings>) => void;
  onMode: (mode: "full" | "lite") => void;
  onBack: () => void;
  onStart: () => void;
  onUnqueue: () => void;
}

export function ConfigureStep(props: ConfigureStepProps) {
  const { settings, violations, listed, failure, refusals, onChange } = props;
  const { t } = useTranslation(["upload", "languages"]);
  const locale = useLocale();
  const violationText = useViolationText();
  const errorOf = (field: string) => {
    const found = violations.find((violation) => violation.field === field);
    return found && violationText(found);
  };
  const lite = settings.transcription_type === "lite";
  const options = languageOptions(settings.transcription_type, (code) => t(`languages:${code}` as "languages:uk"), locale);
  const terms = vocabularyTerms(settings.custom_vocabulary).length;

  return (
    <form
      noValidate
      className="flex flex-1 flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        props.onStart();
      }}
    >
      {listed && violations.length > 0 && <ViolationList key={refusals} violations={violations} />}
      {failure && <Failure key={`failure ${refusals}`} text={failure} />}
      <div className="grid gap-x-8 gap-y-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <ModeCards value={settings.transcription_type} onChange={props.onMode} />
        <div className="flex flex-col gap-5 lg:col-start-2 lg:row-span-2">
          <Field label={t("language.label")} hint={lite ? t("language.liteHint") : undefined} error={errorOf("language_code")}>
            {(wiring) => (
              <select
                {...wiring}
                className={CONTROL}
                value={settings.language_code}
                onChange={(event) => onChange({ language_code: event.currentTarget.value })}
              >
                {!lite && <option value="auto">{t("language.auto")}</option>}
                {options.often.length > 0 && (
                  <optgroup label={t("language.often")}>
                    {options.often.map(({ code, name }) => (
                      <option key={code} value={code}>
                        {name}
                      </option>
                    ))}
                  </optgroup>
                )}
                <optgroup label={t("language.all")}>
                  {options.rest.map(({ code, name }) => (
                    <option key={code} value={code}>
                      {name}
                    </option>
                  ))}
                </optgroup>
              </select>
            )}
          </Field>
          <Timestamps settings={settings} onChange={onChange} />
        </div>
        <Field label={t("vocabulary.label")} hint={vocabularyHint()} error={errorOf("custom_vocabulary")}>
          {(wiring) => (
            <textarea
              {...wiring}
              rows={2}
              className={`${CONTROL} h-auto min-h-16 resize-y py-2`}
              placeholder={t("vocabulary.placeholder")}
              value={settings.custom_vocabulary}
              onChange={(event) => onChange({ custom_vocabulary: event.currentTarget.value })}
            />
          )}
        </Field>
      </div>
      <Actions {...props} />
    </form>
  );

  function vocabularyHint(): string {
    return terms > 0 ? `${t("vocabulary.hint")} ${t("vocabulary.count", { count: terms })}.` : t("vocabulary.hint");
  }
}

function Timestamps({ settings, onChange }: Pick<ConfigureStepProps, "settings" | "onChange">) {
  const { t } = useTranslation("upload");
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

function Actions({ ready, queued, submitting, onBack, onUnqueue }: ConfigureStepProps) {
  const { t } = useTranslation("upload");
  const label = submitting ? t("actions.submitting") : ready ? t("actions.start") : t("actions.startWhenReady");
  return (
    <div className="sticky bottom-0 z-10 -mx-4 mt-auto flex flex-wrap items-center justify-between gap-3 border-t border-rule bg-paper px-4 py-3 md:mx-0 md:px-0">
      <Button look="quiet" onClick={onBack} disabled={submitting} className="-ml-2">
        <ArrowLeft aria-hidden="true" />
        {t("actions.back")}
      </Button>
      {queued && !submitting ? (
        <div className="flex flex-wrap items-center gap-3">
          <p role="status" className="text-sm text-ink-soft">
            {t("actions.queued")}
          </p>
          <Button onClick={onUnqueue}>{t("actions.unqueue")}</Button>
        </div>
      ) : (
        <Button type="submit" look="primary" busy={submitting}>
          {label}
        </Button>
      )}
    </div>
  );
}

function ViolationList({ violations }: Pick<ConfigureStepProps, "violations">) {
  const { t } = useTranslation("upload");
  const violationText = useViolationText();
  return (
    <FormAlert>
      <div>
        <p className="font-strong">{t("errors.list")}</p>
        <ul className="mt-1 list-disc pl-5">
          {violations.map((violation) => (
            <li key={`${violation.field} ${violation.code}`}>{violationText(violation)}</li>
          ))}
        </ul>
      </div>
    </FormAlert>
  );
}

function Failure({ text }: { text: string }) {
  const { t } = useTranslation("upload");
  return (
    <FormAlert>
      <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-bad" />
      <div>
        <p className="font-strong">{t("errors.job")}</p>
        <p>{text}</p>
      </div>
    </FormAlert>
  );
}
