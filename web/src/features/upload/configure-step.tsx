/** Step 2: how the recording is to be transcribed. It can be filled in while the file is still on its way. */
import { ArrowLeft, CircleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Violation } from "@/api";
import { Button } from "@/components/button";
import { LanguageSelect, ModeCards, type Settings, Timestamps, VocabularyField } from "@/components/settings-fields";
import { useViolationText } from "@/hooks/use-violation-text";
import { FormAlert } from "./form-alert";

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
  const violationText = useViolationText();
  const errorOf = (field: string) => {
    const found = violations.find((violation) => violation.field === field);
    return found && violationText(found);
  };

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
          <LanguageSelect settings={settings} error={errorOf("language_code")} onChange={onChange} />
          <Timestamps settings={settings} onChange={onChange} />
        </div>
        <VocabularyField settings={settings} error={errorOf("custom_vocabulary")} onChange={onChange} />
      </div>
      <Actions {...props} />
    </form>
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
