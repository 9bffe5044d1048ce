/**
 * /upload: select, uploading, configure, submitting, then on to the job. Uploading and configuring go side by side.
 * An error of the upload leads back to select, one of the settings or of the job's creation back to configure.
 */
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useStore } from "zustand";
import { ApiError, useUser, type Violation } from "@/api";
import { useErrorText } from "@/hooks/use-error-text";
import { useViolationText } from "@/hooks/use-violation-text";
import { cx } from "@/lib/class-names";
import { toast } from "@/lib/toast";
import { validateFile, validateSettings, withAllowedLanguage, withType } from "@/rules";
import { createJob } from "./api";
import { ConfigureStep } from "./configure-step";
import { DropAnywhere } from "./drop-anywhere";
import { DropZone } from "./drop-zone";
import { keepDraft, readDraft, type Settings } from "./settings-draft";
import { theUpload } from "./the-upload";
import { TransferStrip } from "./transfer-strip";
import { useUploadFailureText } from "./use-failure-text";

/** How long the list of broken rules is shown, in ms (specification, section 9). */
const LIST_MS = 5_000;

export function UploadPage() {
  const { t } = useTranslation("upload");
  const owner = useUser()?.id;
  const phase = useStore(theUpload, (state) => state.phase);
  const failure = useStore(theUpload, (state) => state.failure);
  const violationText = useViolationText();
  const failureText = useUploadFailureText();
  const [refused, setRefused] = useState<string | null>(null);

  useEffect(() => {
    if (owner) {
      void theUpload.getState().restore(owner);
    }
  }, [owner]);

  const take = (file: File) => {
    const violations = validateFile(file.name, file.type, file.size);
    setRefused(violations.length > 0 ? violations.map(violationText).join(" ") : null);
    if (violations.length === 0 && owner) {
      void theUpload.getState().begin(owner, file);
    }
  };

  const selecting = phase === "empty" || phase === "failed";
  const error = refused ? { text: refused } : failure && { title: t("errors.upload"), text: failureText(failure) };
  return (
    <div className="mx-auto flex w-full max-w-5xl flex-1 flex-col px-4 pt-5 md:px-8">
      <Steps current={selecting ? 0 : 1} />
      <div className={cx("mt-5 flex flex-1 flex-col gap-5", selecting && "pb-6")}>
        {selecting ? <DropZone error={error} onFile={take} /> : <Configure />}
      </div>
      {selecting && <DropAnywhere onFile={take} />}
    </div>
  );
}

function Configure() {
  const { t } = useTranslation("upload");
  const navigate = useNavigate();
  const errorText = useErrorText();
  const ready = useStore(theUpload, (state) => state.phase === "ready");
  const [settings, setSettings] = useState(readDraft);
  const [violations, setViolations] = useState<readonly Violation[]>([]);
  const [listed, setListed] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [queued, setQueued] = useState(false);
  const [submitting, setSubmitting] = useState(false);

  useEffect(() => keepDraft(settings), [settings]);

  useEffect(() => {
    if (!listed) {
      return;
    }
    const timer = setTimeout(() => setListed(false), LIST_MS);
    return () => clearTimeout(timer);
  }, [listed]);

  const change = (next: Settings) => {
    setSettings(next);
    // Mending a field clears its error.
    setViolations((before) => before.filter(({ field }) => next[field as keyof Settings] === settings[field as keyof Settings]));
    setFailure(null);
  };

  const chooseMode = (mode: "full" | "lite") => {
    const { settings: allowed, forced } = withAllowedLanguage({ ...settings, transcription_type: mode });
    change({ ...settings, ...withType(allowed, mode) });
    if (forced) {
      toast.info(t("mode.forcedEnglish"));
    }
  };

  const refuse = (broken: readonly Violation[]) => {
    setViolations(broken);
    setListed(true);
    setQueued(false);
  };

  const submit = async (uploadId: string) => {
    setSubmitting(true);
    setFailure(null);
    try {
      const job = await createJob(uploadId, settings);
      theUpload.getState().handOver();
      void navigate(`/transcription/${job.my_job_id}`);
    } catch (error) {
      setQueued(false);
      setSubmitting(false);
      if (error instanceof ApiError && error.violations.length > 0) {
        refuse(error.violations);
      } else {
        setFailure(error instanceof ApiError ? errorText(error) : t("errors.unexpected"));
      }
    }
  };

  const start = () => {
    const broken = validateSettings(settings, "file");
    if (broken.length > 0) {
      refuse(broken);
      return;
    }
    const { upload } = theUpload.getState();
    if (upload) {
      void submit(upload.upload_id);
    } else {
      setQueued(true);
    }
  };

  const startQueued = useEffectEvent(() => {
    if (queued && !submitting) {
      start();
    }
  });
  useEffect(() => {
    if (ready) {
      startQueued();
    }
  }, [ready]);

  const discard = () => void theUpload.getState().discard();

  return (
    <>
      <TransferStrip store={theUpload} onCancel={discard} />
      <ConfigureStep
        settings={settings}
        violations={violations}
        listed={listed}
        failure={failure}
        ready={ready}
        queued={queued}
        submitting={submitting}
        onChange={(part) => change({ ...settings, ...part })}
        onMode={chooseMode}
        onBack={discard}
        onStart={start}
        onUnqueue={() => setQueued(false)}
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
