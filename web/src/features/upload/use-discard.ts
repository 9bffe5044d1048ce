/** Removes a recording from the tray, with ten seconds to undo if it would have to be uploaded again. */
import { useTranslation } from "react-i18next";
import { toast } from "@/lib/toast";
import type { TrayItem } from "./tray-model";
import { uploadTray } from "./upload-tray";

export function useDiscard(): (item: TrayItem) => void {
  const { t } = useTranslation(["upload", "common"]);
  return ({ key, name }) => {
    let toastId: string | number | null = null;
    const undo = uploadTray.getState().remove([key], () => toastId !== null && toast.dismiss(toastId));
    if (undo) {
      toastId = toast.undoable(t("discarded", { name }), t("common:actions.undo"), undo);
    }
  };
}
