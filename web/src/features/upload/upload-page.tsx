/**
 * /upload: select, uploading, configure, submitting, then on to the job. Uploading and configuring go side by side.
 * An error of the upload leads back to select, one of the settings or of the job's creation back to configure.
 */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { type TranscriptionSettings, useUser, type Violation } from "@/api";
import { preferencesQuery } from "@/api/account";
import { Loading } from "@/components/loading";
import { useViolationText } from "@/hooks/use-violation-text";
import { cx } from "@/lib/class-names";
import type { Choice } from "@/lib/settings-draft";
import { validateFile } from "@/rules";
import { ConfigureStep, useChoice } from "./configure";
import { DropAnywhere } from "./drop-anywhere";
import { DropZone } from "./drop-zone";
import { theUpload } from "./the-upload";
import { TransferStrip } from "./transfer-strip";
import { useUploadFailureText } from "./use-failure-text";
import { useUploadNews } from "./use-upload-news";

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

function Configure({ owner, preferred }: ConfigureProps) {
  const ready = useStore(theUpload, (state) => state.phase === "ready");
  const queued = useStore(theUpload, (state) => state.queued !== null);
  const submitting = useStore(theUpload, (state) => state.submitting);
  const jobError = useStore(theUpload, (state) => state.jobError);
  const name = useStore(theUpload, (state) => state.file?.name ?? "");
  const duration = useStore(theUpload, (state) => state.upload?.media?.duration ?? null);
  const [choice, setChoice] = useChoice(owner, preferred);
  const upload = theUpload.getState();

  const change = (next: Choice) => {
    setChoice(next);
    upload.forgetJobError();
    if (queued && !submitting) {
      upload.start(next.settings);
    }
  };

  const discard = () => void upload.discard();

  return (
    <>
      <TransferStrip store={theUpload} onCancel={discard} />
      <ConfigureStep
        choice={choice}
        onChoice={change}
        source="file"
        recordings={[{ name, duration }]}
        ready={ready}
        queued={queued}
        submitting={submitting}
        error={jobError}
        onStart={upload.start}
        onUnqueue={upload.unqueue}
        onBack={discard}
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
