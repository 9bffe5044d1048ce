/** Continues an upload that was completed earlier, here or elsewhere: the URL names it once. */
import { useEffect, useEffectEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import { fetchUpload } from "./api";
import { isLive, type RefusedRecording } from "./tray-model";
import { findUploads, fingerprint } from "./tus-uploads";
import { uploadTray } from "./upload-tray";

const PARAM = "continue";

interface ContinuedUploadOptions {
  owner: string;
  /** Called when it is on the tray. */
  onTaken: () => void;
  onRefused: (refusal: RefusedRecording) => void;
}

export function useContinuedUpload({ owner, onTaken, onRefused }: ContinuedUploadOptions): void {
  const { t } = useTranslation("upload");
  const errorText = useErrorText();
  const [params, setParams] = useSearchParams();
  const id = params.get(PARAM);

  const take = useEffectEvent(async (uploadId: string) => {
    setParams(
      (before) => {
        before.delete(PARAM);
        return before;
      },
      { replace: true },
    );
    try {
      await uploadTray.getState().restore(owner);
      if (isOnTray(owner, uploadId)) {
        onTaken();
        return;
      }
      const { filename, size, stored, media, kind } = await fetchUpload(uploadId);
      const recording = { id: uploadId, filename, size: size ?? stored, duration: media?.duration ?? null, kind };
      const reason = await uploadTray.getState().addRecording(owner, recording);
      if (reason) onRefused({ name: filename, reason });
      else onTaken();
    } catch (error) {
      toast.error(`${t("continue_failed")} ${errorText(error)}`);
    }
  });

  const known = useRef<string | null>(null);
  useEffect(() => {
    if (id !== null && id !== known.current) {
      known.current = id;
      void take(id);
    }
  }, [id]);
}

/** A file sent from this page already has an item. */
const isOnTray = (owner: string, uploadId: string): boolean =>
  uploadTray
    .getState()
    .items.filter(isLive)
    .some(
      (item) =>
        item.kind === "file" &&
        (item.state.upload?.upload_id === uploadId || findUploads(fingerprint(owner, item.key)).includes(uploadId)),
    );
