/** Restores an earlier state, with ten seconds to undo. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useErrorText } from "@/hooks/use-error-text";

import { newUuid } from "@/lib/tab-client";
import { toast } from "@/lib/toast";
import { UNDO_MS } from "@/rules/constants";
import { claimClient } from "../document/client-id";
import { restore, useRefetchText } from "./api";
import { type Point, samePoint } from "./points";

/** `flush` saves pending edits, so that they are part of the state that can be restored. */
export function useRestore(jobId: string, flush: () => Promise<void>) {
  const { t } = useTranslation(["history", "common"]);
  const errorText = useErrorText();
  const forgetText = useRefetchText(jobId);
  const [busy, setBusy] = useState(false);

  const show = async (version: number, at: number | null) =>
    restore(jobId, { version, at, client: await claimClient(), edit_id: newUuid() });

  /** Returns true when done. `last` is the newest state of the run of `target`, `present` the shown one. */
  const goBack = async (target: Point, last: Point, present: Point): Promise<boolean> => {
    setBusy(true);
    try {
      await flush();
      await show(target.version, samePoint(target, last) ? null : target.at);
      await forgetText();
      const toastId = toast.undoable(t("history:restored"), t("common:actions.undo"), () => void takeBack(target, last, present));
      setTimeout(() => toast.dismiss(toastId), UNDO_MS);
      return true;
    } catch (error) {
      toast.error(`${t("history:restoreFailed")}. ${errorText(error)}`);
      return false;
    } finally {
      setBusy(false);
    }
  };

  /** First the run as it was, then the run that was shown. */
  const takeBack = async (target: Point, last: Point, present: Point) => {
    try {
      if (!samePoint(target, last)) await show(last.version, last.at);
      if (present.version !== target.version) await show(present.version, null);
      toast.success(t("history:takenBack"));
    } catch (error) {
      toast.error(`${t("history:takeBackFailed")}. ${errorText(error)}`);
    } finally {
      await forgetText();
    }
  };

  return { goBack, busy };
}
