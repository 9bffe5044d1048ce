/** Taking recordings off the tray, with ten seconds to think again where something would have to be sent anew. */
import { useTranslation } from "react-i18next";
import { toast } from "@/lib/toast";
import { theTray } from "./the-tray";
import type { TrayItem } from "./tray-model";

export function useDiscard(): (items: readonly TrayItem[]) => void {
  const { t } = useTranslation(["upload", "common"]);
  return (items) => {
    let shown: string | number | null = null;
    const undo = theTray.getState().remove(
      items.map(({ key }) => key),
      () => shown !== null && toast.dismiss(shown),
    );
    if (undo) {
      const [first] = items;
      const text = items.length === 1 ? t("discarded.one", { name: first?.name }) : t("discarded.many", { count: items.length });
      shown = toast.undoable(text, t("common:actions.undo"), undo);
    }
  };
}
