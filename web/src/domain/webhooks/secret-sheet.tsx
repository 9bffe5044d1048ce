/** Shows a receiver's new secret, once. */
import { Copy } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { INITIAL_FOCUS, Sheet } from "@/components/sheet";
import { copyText } from "@/lib/clipboard";
import { toast } from "@/lib/toast";

interface SecretSheetProps {
  /** Name of the receiver. */
  name: string;
  secret: string;
  onClose: () => void;
}

/** It is in the state of the page only, and gone when this closes. */
export function SecretSheet({ name, secret, onClose }: SecretSheetProps) {
  const { t } = useTranslation("webhooks");
  const copy = async () => {
    if (await copyText(secret)) toast.success(t("secret.copied"));
    else toast.error(t("secret.copy_failed"));
  };
  return (
    <Sheet
      title={t("secret.shown")}
      subject={name}
      // A stray click would lose the secret.
      staysOpen
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          {t("secret.done")}
        </Button>
      }
    >
      <p className="max-w-[64ch]">{t("secret.once")}</p>
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <code className="figures min-w-0 flex-1 basis-80 rounded border border-edge bg-paper px-3 py-2.5 text-sm break-all select-all">
          {secret}
        </code>
        <Button {...INITIAL_FOCUS} onClick={() => void copy()}>
          <Copy aria-hidden="true" />
          {t("secret.copy")}
        </Button>
      </div>
      <p className="mt-4 max-w-[64ch] text-sm text-ink-soft">{t("secret.how")}</p>
    </Sheet>
  );
}
