import { RefreshCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { useNocodbSync } from "@/hooks/use-nocodb-sync";

/** Synchronises the external database; if there is none, the response says where to configure it. */
export function SyncButton() {
  const { t } = useTranslation("admin-nocodb");
  const { busy: syncing, start } = useNocodbSync();
  return (
    <Button busy={syncing} onClick={start} className="sm:ml-auto">
      {!syncing && <RefreshCw aria-hidden="true" />}
      {syncing ? t("syncing") : t("sync")}
    </Button>
  );
}
