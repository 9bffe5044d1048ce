import { FileDown } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";

/** Exports the whole list as CSV. */
export function ExportButton({ save }: { save: () => Promise<void> }) {
  const { t } = useTranslation("admin-messages");
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const start = () => {
    setBusy(true);
    save()
      .catch((error: unknown) => toast.error(`${t("export_failed")}. ${errorText(error)}`))
      .finally(() => setBusy(false));
  };
  return (
    <Button busy={busy} onClick={start}>
      <FileDown aria-hidden="true" />
      {t("export")}
    </Button>
  );
}
