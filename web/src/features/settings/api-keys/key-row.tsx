/** A key: how to recognise it, what it permits, and until when. */
import { useTranslation } from "react-i18next";
import type { ApiKey } from "@/api/api-keys";
import { Button } from "@/components/button";
import { Created, Expiry, KeyHint, LastUse } from "@/domain/api-keys/key-parts";
import { ScopeBadges } from "@/domain/api-keys/scopes";

export function KeyRow({ apiKey, onRevoke }: { apiKey: ApiKey; onRevoke: () => void }) {
  const { t } = useTranslation("api-keys");
  return (
    <li className="flex items-start gap-3 border-b border-rule py-3.5">
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-strong wrap-anywhere">{apiKey.name}</span>
          <KeyHint apiKey={apiKey} />
        </p>
        <ScopeBadges scopes={apiKey.scopes} />
        <p className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 text-sm text-ink-soft">
          <Created apiKey={apiKey} />
          <Expiry apiKey={apiKey} />
          <LastUse apiKey={apiKey} />
        </p>
      </div>
      <Button size="small" aria-label={t("revoke.named", { name: apiKey.name })} onClick={onRevoke}>
        {t("revoke.action")}
      </Button>
    </li>
  );
}
