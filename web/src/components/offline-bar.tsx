/** Says that the network is gone, so that old data is not taken for new. */
import { WifiOff } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useOnline } from "@/hooks/use-online";

export function OfflineBar() {
  const { t } = useTranslation();
  const online = useOnline();
  return (
    <div role="status">
      {!online && (
        <p className="flex items-start gap-2.5 border-b border-rule bg-warn-wash px-4 py-2 text-sm text-warn md:px-8">
          <WifiOff aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {t("offline")}
        </p>
      )}
    </div>
  );
}
