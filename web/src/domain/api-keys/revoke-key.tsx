/** Confirmation before a key is revoked, by its owner or by an administrator. */
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import type { ApiKey } from "@/api/api-keys";
import { ConfirmDialog } from "@/components/confirm-dialog";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import { expiryState } from "./expiry";

interface RevokeKeyProps {
  apiKey: ApiKey;
  /** Its owner's address, if that is somebody else. */
  owner?: string;
  revoke: (id: string) => Promise<unknown>;
  onRevoked: () => void;
  onClose: () => void;
}

export function RevokeKey({ apiKey, owner, revoke, onRevoked, onClose }: RevokeKeyProps) {
  const { t } = useTranslation("api-keys");
  const errorText = useErrorText();
  const confirm = async () => {
    try {
      await revoke(apiKey.id);
    } catch (error) {
      // It was revoked elsewhere, or removed long after it had expired.
      const isGone = error instanceof ApiError && error.code === "not_found";
      if (!isGone) return toast.error(`${t("revoke.failed")}. ${errorText(error)}`);
    }
    toast.success(t("revoke.done"));
    return onRevoked();
  };
  return (
    <ConfirmDialog
      title={t("revoke.question", { name: apiKey.name })}
      text={t(expiryState(apiKey.expires_at) === "expired" ? "revoke.text_expired" : "revoke.text")}
      confirm={t("revoke.action")}
      onConfirm={confirm}
      onClose={onClose}
    >
      {owner && <p className="text-sm text-ink-soft wrap-anywhere">{t("revoke.owner", { email: owner })}</p>}
    </ConfirmDialog>
  );
}
