/**
 * /upload: select, uploading, configure, submitting, then to the job or, for several, to the list of jobs. Uploading
 * and configuring run in parallel. An upload error leads back to select, an error of the settings or of creating the
 * job back to configure.
 */
import { Plus } from "lucide-react";
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useUser } from "@/api";
import { Button } from "@/components/button";
import { Loading } from "@/components/loading";
import { Skeleton } from "@/components/skeleton";
import { usePreferredSettings } from "@/domain/settings/use-preferred-settings";
import { prefetchWhenIdle } from "@/lib/when-idle";
import { MAX_OPEN_UPLOADS } from "@/rules/constants";
import { clearHandoff, currentHandoff } from "./handoff";
import { ItemList, TrayConfigure, UPLOAD_PARTS } from "./parts";
import { DropAnywhere } from "./select/drop-anywhere";
import { PresetInUse } from "./select/preset-in-use";
import { SelectStep } from "./select/select-step";
import { UploadProblems } from "./select/upload-problems";
import { Steps } from "./steps";
import { hasFailed, isLive, type RefusedRecording } from "./tray-model";
import { useUploadLimit } from "./upload-limit";
import { uploadTray } from "./upload-tray";
import { useContinuedUpload } from "./use-continued-upload";
import { useStableItems } from "./use-stable-items";
import { useTrayListener } from "./use-tray-listener";

export function UploadPage() {
  const owner = useUser()?.id;
  const leaving = useStore(uploadTray, (state) => state.finished);
  useTrayListener(owner);
  // Events from before this visit no longer matter.
  useLayoutEffect(() => uploadTray.getState().forgetFinished(), []);
  useEffect(() => prefetchWhenIdle(UPLOAD_PARTS), []);

  useEffect(() => {
    if (owner) {
      void uploadTray.getState().restore(owner);
    }
  }, [owner]);

  // The job's page is being loaded; an empty first step would flash.
  return leaving || !owner ? <Loading /> : <Wizard key={owner} owner={owner} />;
}

function Wizard({ owner }: { owner: string }) {
  const { t } = useTranslation("upload");
  const items = useStableItems();
  // Recordings added to the tray are checked against it.
  useUploadLimit();
  const { unsure, preferred } = usePreferredSettings();
  const [refusals, setRefusals] = useState<readonly RefusedRecording[]>(() => currentHandoff().refusals);
  const [adding, setAdding] = useState(() => currentHandoff().more);
  // Not while rendering: a render may be discarded, and this cannot be undone.
  useEffect(clearHandoff, []);
  const live = items.filter(isLive);
  const failed = items.filter(hasFailed);
  const selecting = live.length === 0 || adding;
  const { heading, act } = useStepFocus(selecting);

  const goOn = () => {
    act();
    setAdding(false);
  };

  useContinuedUpload({ owner, onTaken: goOn, onRefused: (refusal) => setRefusals([refusal]) });
  // A reader who goes back wants to change something, so delayed starts are cancelled.
  const goBack = () => {
    uploadTray.getState().unqueue();
    setAdding(true);
  };

  const takeFiles = (files: readonly File[]) => {
    setRefusals([]);
    act();
    void uploadTray
      .getState()
      .addFiles(owner, files)
      .then((refused) => {
        setRefusals(refused);
        if (refused.length < files.length) {
          setAdding(false);
        }
      });
  };

  const dismiss = () => {
    setRefusals([]);
    uploadTray.getState().remove(
      failed.map(({ key }) => key),
      () => {},
    );
  };

  return (
    <div className="mx-auto flex w-full max-w-5xl flex-1 flex-col px-4 pt-4 md:px-8">
      <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <Steps current={selecting ? 0 : 1} />
        {selecting && !unsure && <PresetInUse owner={owner} preferred={preferred} />}
        {!selecting && (
          <Button
            look="quiet"
            size="small"
            disabled={live.length >= MAX_OPEN_UPLOADS}
            onClick={() => setAdding(true)}
            className="-mr-3"
          >
            <Plus aria-hidden="true" />
            <span className="max-sm:sr-only">{t("items.add")}</span>
          </Button>
        )}
      </div>
      <div className="mt-3 flex flex-1 flex-col gap-4">
        {selecting ? (
          <SelectStep
            owner={owner}
            heading={heading}
            refusals={refusals}
            failed={failed}
            chosen={
              live.length > 0 && (
                <Suspense fallback={<ItemsSkeleton count={items.length} />}>
                  <ItemList started={[]} chosen={null} />
                </Suspense>
              )
            }
            onFiles={takeFiles}
            onDismiss={dismiss}
            onRefused={(refusal) => setRefusals([refusal])}
            onContinue={goOn}
          />
        ) : (
          <>
            <h2 ref={heading} tabIndex={-1} className="sr-only">
              {t("steps.configure")}
            </h2>
            <UploadProblems missing={null} refusals={refusals} failed={[]} onDismiss={() => setRefusals([])} />
            {unsure ? (
              <Loading />
            ) : (
              <Suspense fallback={<ConfigureSkeleton count={items.length} />}>
                <TrayConfigure owner={owner} onBack={goBack} preferred={preferred} />
              </Suspense>
            )}
          </>
        )}
      </div>
      <DropAnywhere onFiles={takeFiles} />
    </div>
  );
}

function ItemsSkeleton({ count }: { count: number }) {
  return (
    <div className="flex max-h-96 flex-col gap-3 overflow-hidden rounded-lg border border-rule bg-paper-raised px-4 py-3">
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <Skeleton key={at} className="h-11 w-full" />
      ))}
    </div>
  );
}

function ConfigureSkeleton({ count }: { count: number }) {
  return (
    <>
      <ItemsSkeleton count={count} />
      <Skeleton className="h-10 w-72 max-w-full" />
      <Skeleton className="h-64 w-full" />
    </>
  );
}

/** Focuses the heading of the next step; not on the first load, when an earlier upload continues by itself. */
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
