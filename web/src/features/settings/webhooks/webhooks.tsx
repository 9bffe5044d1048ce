/** The list of webhooks, and the dialogs opened from it. */
import { Plus } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type UserWebhook, useReplaceSecret } from "@/api/webhooks";
import { Button } from "@/components/button";
import { NotInPlan } from "@/components/not-in-plan";
import { SecretSheet } from "@/domain/webhooks/secret-sheet";
import { EditorSheet } from "./editor-sheet";
import { DeleteWebhook, ReplaceSecret } from "./questions";
import { WebhookLog } from "./webhook-log";
import { WebhookRow } from "./webhook-row";

interface WebhooksProps {
  webhooks: readonly UserWebhook[];
  isInPlan: boolean;
  /** A row with the focus has disappeared. */
  onGone: () => void;
}

/** The sheet or dialog that is open over the page. */
type Open =
  | { over: "editor"; webhook: UserWebhook | null }
  | { over: "log" | "replace" | "delete"; webhook: UserWebhook }
  | { over: "secret"; name: string; secret: string };

export function Webhooks({ webhooks, isInPlan, onGone }: WebhooksProps) {
  const { t } = useTranslation("webhooks");
  const [open, show] = useState<Open | null>(null);
  const [isGone, setGone] = useState(false);
  const showSecret = (webhook: UserWebhook, secret: string) => show({ over: "secret", name: webhook.name, secret });
  const replace = useReplaceSecret(({ webhook, secret }) => showSecret(webhook, secret));
  const close = () => show(null);
  // It closes when it is done, but by then the secret is shown in its place.
  const closeReplace = () => show((now) => (now?.over === "replace" ? null : now));

  // After the dialog has closed, because it keeps the focus.
  useEffect(() => {
    if (!isGone || open !== null) return;
    setGone(false);
    onGone();
  }, [isGone, open, onGone]);

  return (
    <div className="flex flex-col gap-4">
      {!isInPlan && <NotInPlan className="max-w-[60ch] text-[0.9375rem] text-ink-soft" text={t("not_in_plan")} />}
      <Button className="self-start" disabled={!isInPlan} onClick={() => show({ over: "editor", webhook: null })}>
        <Plus aria-hidden="true" />
        {t("add")}
      </Button>
      {webhooks.length === 0 ? (
        <p className="max-w-[60ch] text-[0.9375rem] text-pretty text-ink-soft">{t("empty")}</p>
      ) : (
        <ul aria-label={t("title")} className="border-t border-rule">
          {webhooks.map((webhook) => (
            <WebhookRow
              key={webhook.id}
              webhook={webhook}
              onEdit={() => show({ over: "editor", webhook })}
              onLog={() => show({ over: "log", webhook })}
              onReplace={() => show({ over: "replace", webhook })}
              onDelete={() => show({ over: "delete", webhook })}
            />
          ))}
        </ul>
      )}
      {open?.over === "editor" && <EditorSheet webhook={open.webhook} onClose={close} onSecret={showSecret} />}
      {open?.over === "secret" && <SecretSheet name={open.name} secret={open.secret} onClose={close} />}
      {open?.over === "log" && <WebhookLog webhook={open.webhook} onClose={close} />}
      {open?.over === "replace" && <ReplaceSecret webhook={open.webhook} replace={replace.mutateAsync} onClose={closeReplace} />}
      {open?.over === "delete" && <DeleteWebhook webhook={open.webhook} onDeleted={() => setGone(true)} onClose={close} />}
    </div>
  );
}
