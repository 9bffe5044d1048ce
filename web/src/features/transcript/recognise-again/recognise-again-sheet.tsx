/** Asks in which language and mode a stretch of the recording is recognised again. */
import { Play, RotateCw } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TranscriptionType } from "@/api";
import { Button } from "@/components/button";
import { CONTROL, Field } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { INITIAL_FOCUS, Sheet } from "@/components/sheet";
import { LanguageOptionList } from "@/domain/settings";
import { useErrorText } from "@/hooks/use-error-text";
import { formatClock } from "@/lib/format";
import { offeredLanguages } from "@/rules";
import { MAX_STRETCH_SECONDS, MIN_STRETCH_SECONDS, TRANSCRIPTION_TYPES } from "@/rules/constants";
import type { Workspace } from "../workspace";
import { overlapping, type Stretch } from "./stretch";
import { useRecogniseAgain } from "./use-stretches";

const AUTO = "auto";

/** Detection, unless the mode has a single language. */
function firstLanguage(mode: TranscriptionType): string {
  const [only, ...others] = offeredLanguages(mode);
  return only === undefined || others.length > 0 ? AUTO : only;
}

interface RecogniseAgainSheetProps {
  workspace: Workspace;
  stretch: Stretch;
  onClose: () => void;
}

export function RecogniseAgainSheet({ workspace, stretch, onClose }: RecogniseAgainSheetProps) {
  const { t } = useTranslation(["again", "common", "rules"]);
  const errorText = useErrorText();
  const { job, document, player } = workspace;
  const [mode, setMode] = useState<TranscriptionType>(job.transcription_type);
  const [language, setLanguage] = useState(() => firstLanguage(job.transcription_type));
  const [text] = useState(() =>
    overlapping(document.getState().segments, stretch)
      .map((segment) => segment.text)
      .join(" "),
  );
  const ask = useRecogniseAgain(workspace);
  const seconds = stretch.end - stretch.start;
  const unfit =
    seconds > MAX_STRETCH_SECONDS
      ? t("again:tooLong", { minutes: MAX_STRETCH_SECONDS / 60 })
      : seconds < MIN_STRETCH_SECONDS
        ? t("again:tooShort")
        : null;
  const chooseMode = (next: TranscriptionType) => {
    setMode(next);
    setLanguage(firstLanguage(next));
  };
  const span = { from: formatClock(stretch.start), to: formatClock(stretch.end) };
  return (
    <Sheet
      title={t("again:title")}
      kicker={t("again:span", span)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t("common:actions.cancel")}</Button>
          <Button
            look="primary"
            busy={ask.isPending}
            disabled={unfit !== null}
            onClick={() => ask.mutate({ ...stretch, language, mode }, { onSuccess: onClose })}
          >
            {!ask.isPending && <RotateCw aria-hidden="true" />}
            {t("again:start")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <p className="max-w-[65ch] text-ink-soft">{t("again:lead")}</p>
        <FormAlert text={unfit ?? (ask.error ? errorText(ask.error) : null)} />
        <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
          <Button size="small" onClick={() => player.getState().playOnce({ from: stretch.start, to: stretch.end })}>
            <Play aria-hidden="true" />
            {t("again:play", span)}
          </Button>
          <p className="mt-1.5 line-clamp-3 min-w-40 flex-1 text-sm text-ink-soft [overflow-wrap:anywhere]">
            {text === "" ? t("again:noText") : t("again:nowText", { text })}
          </p>
        </div>
        <div className="grid gap-5 sm:grid-cols-2">
          <LanguageField mode={mode} language={language} onChange={setLanguage} />
          <Field label={t("rules:setting.transcription_type")}>
            {(wiring) => (
              <select
                {...wiring}
                className={CONTROL}
                value={mode}
                onChange={(event) => chooseMode(event.currentTarget.value as TranscriptionType)}
              >
                {TRANSCRIPTION_TYPES.map((each) => (
                  <option key={each} value={each}>
                    {t(`rules:transcription_type.${each}`)}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </div>
        <p className="max-w-[65ch] text-sm text-ink-faint">{t("again:minutes")}</p>
      </div>
    </Sheet>
  );
}

interface LanguageFieldProps {
  mode: TranscriptionType;
  language: string;
  onChange: (code: string) => void;
}

function LanguageField({ mode, language, onChange }: LanguageFieldProps) {
  const { t } = useTranslation(["again", "languages"]);
  const lite = mode === "lite";
  return (
    <Field label={t("again:language")} hint={lite ? t("again:liteHint") : undefined}>
      {(wiring) => (
        <select
          {...wiring}
          {...INITIAL_FOCUS}
          className={CONTROL}
          value={language}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          {!lite && <option value={AUTO}>{t("languages:auto")}</option>}
          <LanguageOptionList mode={mode} />
        </select>
      )}
    </Field>
  );
}
