/** Step 2: how the recordings are to be transcribed. It can be filled in while they are still on their way. */
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, type Violation } from "@/api";
import { type Settings, SettingsForm } from "@/components/settings-fields";
import { useErrorText } from "@/hooks/use-error-text";
import type { BrokenRule } from "@/hooks/use-violation-text";
import type { Choice } from "@/lib/settings-draft";
import { limits, type Source, validateSettings } from "@/rules";
import { Actions } from "./actions";
import { Failure, ViolationList } from "./refusals";

/** One of those that the settings are for; each becomes a job. */
export interface Recording {
  name: string;
  /** In seconds; null while it is not known. */
  duration: number | null;
}

export interface ConfigureStepProps {
  choice: Choice;
  onChoice: (choice: Choice) => void;
  source: Source;
  /** The address, where the recording comes from one; it is checked with the settings and goes with them. */
  url?: string;
  recordings: readonly Recording[];
  /** The job can begin at once. */
  ready: boolean;
  /** It begins as soon as the recording is there. */
  queued: boolean;
  submitting: boolean;
  /** Why the job could not be created, as it was thrown; null when there is nothing to say. */
  error: unknown;
  /** Only with settings that the rules allow. `presetId` is that of the preset in use. */
  onStart: (settings: Settings, presetId: string | null) => void;
  onUnqueue: () => void;
  /** Discards what was chosen in step 1. */
  onBack: () => void;
}

export function ConfigureStep(props: ConfigureStepProps) {
  const { choice, onChoice, source, url = "", error, onStart } = props;
  const { settings } = choice;
  const { violations, listed, refusals, refuse, mend } = useRefusals(error);
  const failure = useFailureText(error);

  const change = (next: Settings) => {
    mend(settings, next);
    onChoice({ ...choice, settings: next });
  };

  const start = () => {
    const asked = { ...settings, url };
    const broken = validateSettings(asked, source);
    refuse(broken);
    if (broken.length === 0) onStart(asked, choice.preset?.id ?? null);
  };

  return (
    <form
      noValidate
      className="flex flex-1 flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      {listed && violations.length > 0 && <ViolationList key={refusals} violations={violations} />}
      {failure && <Failure key={`failure ${refusals}`} text={failure} />}
      <SettingsForm settings={settings} violations={violations} refusals={refusals} onChange={change} />
      <Actions {...props} />
    </form>
  );
}

/** Broken rules: beside their fields until these are mended, as a list for a few seconds. */
function useRefusals(error: unknown) {
  const [violations, setViolations] = useState<readonly BrokenRule[]>([]);
  const [listed, setListed] = useState(false);
  const [refusals, setRefusals] = useState(0);

  useEffect(() => {
    if (!listed) return;
    const timer = setTimeout(() => setListed(false), limits().validation_toast_ms);
    return () => clearTimeout(timer);
  }, [listed]);

  const refuse = (broken: readonly (BrokenRule | Violation)[]) => {
    setViolations(broken);
    setListed(broken.length > 0);
    setRefusals((before) => before + 1);
  };

  const showError = useEffectEvent((thrown: unknown) => refuse(thrown instanceof ApiError ? thrown.violations : []));
  useEffect(() => {
    if (error !== null) showError(error);
  }, [error]);

  /** Changing a field clears what was said of it. */
  const mend = (before: Settings, next: Settings) =>
    setViolations((known) =>
      known.filter(({ field }) => {
        const name = field.split(".")[0] as keyof Settings;
        return next[name] === before[name];
      }),
    );

  return { violations, listed, refusals, refuse, mend };
}

/** What is said of an error that is not about the fields. */
function useFailureText(error: unknown): string | null {
  const { t } = useTranslation("configure");
  const errorText = useErrorText();
  if (error === null) return null;
  if (!(error instanceof ApiError)) return t("errors.unexpected");
  return error.violations.length > 0 ? null : errorText(error);
}
