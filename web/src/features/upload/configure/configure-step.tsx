/** Step 2: the transcription settings. They can be filled in while the recordings are still being uploaded. */
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { capabilitiesQuery } from "@/api/capabilities";
import { minutesQuery } from "@/api/minutes";
import { subscriptionQuery } from "@/api/subscription";
import { type Settings, SettingsForm } from "@/domain/settings";
import type { Choice } from "@/domain/settings/settings-draft";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { type Source, validateSettings } from "@/rules";
import { Actions } from "./actions";
import { minutesRefusal, neededMinutes, withFigures } from "./job-minutes";
import { MinutesLine } from "./minutes-line";
import { PresetBadge } from "./preset-badge";
import { PresetSelect } from "./preset-select";
import { PresetTiles } from "./preset-tiles";
import { Failure, ViolationList } from "./refusals";
import { StartingPoint, type StartingSettings } from "./starting-point";
import { useRefusals } from "./use-refusals";

/** A recording that the settings apply to; each becomes a job. */
export interface Recording {
  name: string;
  /** In seconds; null if unknown. */
  duration: number | null;
}

export interface ConfigureStepProps {
  choice: Choice;
  onChoice: (choice: Choice) => void;
  source: Source;
  /** The URL, if the recording comes from one; it is checked and sent with the settings. */
  url?: string;
  recordings: readonly Recording[];
  /** The job can start at once. */
  ready: boolean;
  /** It starts as soon as the upload is complete. */
  queued: boolean;
  submitting: boolean;
  /** The error thrown when the job could not be created; null if there is none. */
  error: unknown;
  /** Called only with valid settings. `presetId` is that of the preset in use. */
  onStart: (settings: Settings, presetId: string | null) => void;
  onUnqueue: () => void;
  /** Initial settings to go back to; hidden if absent. */
  starts?: StartingSettings;
  /** Back to step 1, keeping everything chosen there. */
  onBack: () => void;
}

export function ConfigureStep(props: ConfigureStepProps) {
  const { choice, onChoice, source, url = "", recordings, error, onStart } = props;
  const { settings } = choice;
  const { violations, listed, refusals, refuse, recheck } = useRefusals(error);
  const failure = useFailureText(error);
  const { data: capabilities } = useQuery(capabilitiesQuery());
  const { data: minutes } = useQuery(minutesQuery());
  const { data: subscription } = useQuery(subscriptionQuery());
  const minutesId = useId();
  const locale = useLocale();
  const durations = recordings.map(({ duration }) => duration);
  const needed = neededMinutes(durations);
  const refused = minutesRefusal(minutes, needed);
  const shortage = refused && withFigures(refused, locale);

  const check = (requested: Settings) => validateSettings({ ...requested, url }, source);

  const choose = (next: Choice) => {
    recheck(settings, next.settings, check(next.settings));
    onChoice(next);
  };

  const start = () => {
    const broken = check(settings);
    const against = shortage ? [...broken, shortage] : broken;
    refuse(against);
    if (against.length === 0) onStart({ ...settings, url }, choice.preset?.id ?? null);
  };

  return (
    <form
      noValidate
      className="flex flex-1 flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        start();
      }}
    >
      {listed && violations.length > 0 && <ViolationList key={refusals} violations={violations} />}
      {failure && <Failure key={`failure ${refusals}`} text={failure} />}
      <PresetTiles choice={choice} onChoice={choose} />
      {props.starts && <StartingPoint choice={choice} onChoice={choose} {...props.starts} />}
      <SettingsForm
        settings={settings}
        onChange={(next) => choose({ ...choice, settings: next })}
        violations={violations}
        refusals={refusals}
        capabilities={capabilities}
        planFeatures={subscription?.features}
        duration={totalOf(durations)}
        aside={
          <div className="flex min-w-0 flex-wrap items-center justify-end gap-x-3 gap-y-2 @max-2xl:w-full @max-2xl:justify-between @2xl:mb-1 pointer-fine:[--control:2rem]">
            <PresetBadge choice={choice} onChoice={choose} />
            <PresetSelect choice={choice} onChoice={choose} />
          </div>
        }
      />
      <Actions {...props} describedBy={minutesId} refused={shortage !== null}>
        <MinutesLine id={minutesId} needed={needed} minutes={minutes} refusal={shortage} />
      </Actions>
    </form>
  );
}

/** Total duration in seconds; null if one is unknown. */
const totalOf = (durations: readonly (number | null)[]): number | null =>
  durations.reduce<number | null>((sum, duration) => (sum === null || duration === null ? null : sum + duration), 0) || null;

/** The message for an error that does not concern a field. */
function useFailureText(error: unknown): string | null {
  const { t } = useTranslation("configure");
  const errorText = useErrorText();
  if (error === null) return null;
  if (!(error instanceof ApiError)) return t("errors.unexpected");
  return error.violations.length > 0 ? null : errorText(error);
}
