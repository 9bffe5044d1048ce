/** The list of keys, and the dialogs opened from it. */
import { Plus } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { User } from "@/api/account";
import { type ApiKey, useRevokeApiKey } from "@/api/api-keys";
import { Button } from "@/components/button";
import { NotInPlan } from "@/components/not-in-plan";
import { RevokeKey } from "@/domain/api-keys/revoke-key";
import { KeyRow } from "./key-row";
import { NewKeySheet } from "./new-key-sheet";

interface KeysProps {
  user: User;
  keys: readonly ApiKey[];
  isInPlan: boolean;
  /** A row with the focus has disappeared. */
  onGone: () => void;
}

export function Keys({ user, keys, isInPlan, onGone }: KeysProps) {
  const { t } = useTranslation("api-keys");
  const revoke = useRevokeApiKey();
  const [open, show] = useState<"new" | ApiKey | null>(null);
  const [isGone, setGone] = useState(false);
  const close = () => show(null);

  // After the dialog has closed, because it keeps the focus.
  useEffect(() => {
    if (!isGone || open !== null) return;
    setGone(false);
    onGone();
  }, [isGone, open, onGone]);

  return (
    <div className="flex flex-col gap-4">
      {!isInPlan && <NotInPlan className="max-w-[60ch] text-[0.9375rem] text-ink-soft" text={t("not_in_plan")} />}
      <Button className="self-start" disabled={!isInPlan} onClick={() => show("new")}>
        <Plus aria-hidden="true" />
        {t("new.open")}
      </Button>
      {keys.length === 0 ? (
        <p className="max-w-[60ch] text-[0.9375rem] text-pretty text-ink-soft">{t("empty")}</p>
      ) : (
        <ul aria-label={t("title")} className="border-t border-rule">
          {keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} onRevoke={() => show(key)} />
          ))}
        </ul>
      )}
      {open === "new" && <NewKeySheet user={user} onClose={close} />}
      {open !== null && open !== "new" && (
        <RevokeKey apiKey={open} revoke={revoke.mutateAsync} onRevoked={() => setGone(true)} onClose={close} />
      )}
    </div>
  );
}
