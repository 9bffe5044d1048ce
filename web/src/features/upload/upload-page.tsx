/**
 * /upload: select, uploading, configure, submitting, then on to the job. Uploading and configuring go side by side.
 * An error of the upload leads back to select, one of the settings or of the job's creation back to configure.
 */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { ApiError, type TranscriptionSettings, useUser, type Violation } from "@/api";
import { preferencesQuery } from "@/api/account";
import { Loading } from "@/components/loading";
import { type Settings, useModeChoice } from "@/components/settings-fields";
import { useErrorText } from "@/hooks/use-error-text";
import { useViolationText } from "@/hooks/use-violation-text";
import { cx } from "@/lib/class-names";
import { validateFile, validateSettings } from "@/rules";
import { ConfigureStep } from "./configure-step";
import { DropAnywhere } from "./drop-anywhere";
import { DropZone } from "./drop-zone";
import { keepDraft, readDraft } from "./settings-draft";
import { theUpload } from "./the-upload";
import { TransferStrip } from "./transfer-strip";
import { useUploadFailureText } from "./use-failure-text";
import { useUploadNews } from "./use-upload-news";

/** How long the list of broken rules is shown, in ms (specification, section 9). */
const LIST_MS = 5_000;

export function UploadPage() {
  const { t } = useTranslation("upload");
  const owner = useUser()?.id;
  const phase = useStore(theUpload, (state) => state.phase);
  const failure = useStore(theUpload, (state) => state.failure);
  const violationText = useViolationText();
  const failureText = useUploadFailureText();
  // What cannot be had at the first try is done without: the recording does not wait for it.
  const preferences = useQuery(preferencesQuery());
  const leaving = useStore(theUpload, (state) => state.startedJob !== null);
  const [refused, setRefused] = useState<readonly Violation[]>([]);
  const selecting = phase === "empty" || phase === "failed";
  const { heading, act } = useStepFocus(selecting);
  useUploadNews();
  // What began while the reader was elsewhere is over for this page.
  useLayoutEffect(() => theUpload.getState().forgetStartedJob(), []);

  useEffect(() => {
    if (owner) {
      void theUpload.getState().restore(owner);
    }
  }, [owner]);

  const take = (file: File) => {
    const violations = validateFile(file.name, file.type, file.size);
    setRefused(violations);
    if (violations.length === 0 && owner) {
      act();
      void theUpload.getState().begin(owner, file);
    }
  };

  // The job's page is being fetched; the empty first step would only flash up.
  if (leaving) {
    return <Loading />;
  }

  const error =
    refused.length > 0
      ? { text: refused.map(violationText).join(" ") }
      : failure && { title: t("errors.upload"), text: failureText(failure) };
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-1 flex-col px-4 pt-5 md:px-8">
      <Steps current={selecting ? 0 : 1} />
      <div className={cx("mt-5 flex flex-1 flex-col gap-5", selecting && "pb-6")}>
        {selecting ? (
          <DropZone heading={heading} error={error} onFile={take} />
        ) : (
          <>
            <h2 ref={heading} tabIndex={-1} className="sr-only">
              {t("steps.configure")}
            </h2>
            {owner &&
              (preferences.isLoading && preferences.failureCount === 0 ? (
                <Loading />
              ) : (
                <Configure key={owner} owner={owner} preferred={preferences.data?.settings} />
              ))}
          </>
        )}
      </div>
      {selecting && <DropAnywhere onFile={take} />}
    </div>
  );
}

/** Takes the focus to the heading of the next step; not on the first load, when an earlier upload goes on by itself. */
function useStepFocus(selecting: boolean) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(selecting);
  const acted = useRef(false);
  useEffect(() => {
    if (before.current !== selecting && (selecting || acted.current)) {
      heading.current?.focus();
    }
    before.current = selecting;
  }, [selecting]);
  const act = () => {
    acted.current = true;
  };
  return { heading, act };
}

interface ConfigureProps {
  owner: string;
  preferred: TranscriptionSettings | undefined;
}

function Configure({ owner, preferred: preferredNow }: ConfigureProps) {
  const { t } = useTranslation("upload");
  const withMode = useModeChoice();
  const errorText = useErrorText();
  const ready = useStore(theUpload, (state) => state.phase === "ready");
  const queued = useStore(theUpload, (state) => state.queued !== null);
  const submitting = useStore(theUpload, (state) => state.submitting);
  const jobError = useStore(theUpload, (state) => state.jobError);
  // Those that the draft began with; another tab may change them meanwhile.
  const [preferred] = useState(preferredNow);
  const [settings, setSettings] = useState(() => readDraft(owner, preferred));
  const [violations, setViolations] = useState<readonly Violation[]>([]);
  const [listed, setListed] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const upload = theUpload.getState();

  useEffect(() => keepDraft(owner, settings, preferred), [owner, settings, preferred]);

  useEffect(() => {
    if (!listed) {
      return;
    }
    const timer = setTimeout(() => setListed(false), LIST_MS);
    return () => clearTimeout(timer);
  }, [listed]);

  const refuse = (broken: readonly Violation[]) => {
    setViolations(broken);
    setListed(broken.length > 0);
    setRefusals((before) => before + 1);
  };

  const showJobError = useEffectEvent((error: unknown) => refuse(error instanceof ApiError ? error.violations : []));
  useEffect(() => {
    if (jobError !== null) {
      showJobError(jobError);
    }
  }, [jobError]);

  const change = (next: Settings) => {
    setSettings(next);
    // Mending a field clears its error.
    setViolations((before) => before.filter(({ field }) => next[field as keyof Settings] === settings[field as keyof Settings]));
    upload.forgetJobError();
    if (queued && !submitting) {
      upload.start(next);
    }
  };

  const start = () => {
    const broken = validateSettings(settings, "file");
    if (broken.length > 0) {
      refuse(broken);
    } else {
      setViolations([]);
      upload.start(settings);
    }
  };

  const failure = () => {
    if (!(jobError instanceof ApiError)) {
      return jobError === null ? null : t("errors.unexpected");
    }
    return jobError.violations.length > 0 ? null : errorText(jobError);
  };

  const discard = () => void upload.discard();

  return (
    <>
      <TransferStrip store={theUpload} onCancel={discard} />
      <ConfigureStep
        settings={settings}
        violations={violations}
        listed={listed}
        failure={failure()}
        refusals={refusals}
        ready={ready}
        queued={queued}
        submitting={submitting}
        onChange={(part) => change({ ...settings, ...part })}
        onMode={(mode) => change(withMode(settings, mode))}
        onBack={discard}
        onStart={start}
        onUnqueue={upload.unqueue}
      />
    </>
  );
}

const STEPS = ["select", "configure"] as const;

function Steps({ current }: { current: number }) {
  const { t } = useTranslation("upload");
  return (
    <ol aria-label={t("steps.label")} className="flex gap-6 text-sm">
      {STEPS.map((step, at) => (
        <li
          key={step}
          aria-current={at === current ? "step" : undefined}
          className={cx("flex items-center gap-2", at === current ? "font-strong text-ink" : "text-ink-faint")}
        >
          <span
            aria-hidden="true"
            className={cx(
              "figures flex size-6 items-center justify-center rounded-full border text-xs",
              at === current ? "border-accent bg-accent text-on-accent" : "border-edge",
            )}
          >
            {at + 1}
          </span>
          {t(`steps.${step}`)}
        </li>
      ))}
    </ol>
  );
}
