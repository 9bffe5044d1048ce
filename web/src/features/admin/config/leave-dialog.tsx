/** Asks for confirmation before unsaved changes are lost. */
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { INITIAL_FOCUS, Sheet } from "@/components/sheet";

export function LeaveDialog({ onStay, onDiscard }: { onStay: () => void; onDiscard: () => void }) {
  const { t } = useTranslation("admin-config");
  return (
    <Sheet
      title={t("unsaved")}
      onClose={onStay}
      footer={
        <>
          <Button look="danger" onClick={onDiscard}>
            {t("leave.discard")}
          </Button>
          <Button {...INITIAL_FOCUS} onClick={onStay}>
            {t("leave.stay")}
          </Button>
        </>
      }
    >
      <p>{t("leave.question")}</p>
    </Sheet>
  );
}
