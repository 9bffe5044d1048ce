/** A webhook: what it is notified of, whether that works, and its actions. */
import { useTranslation } from "react-i18next";
import { type UserWebhook, useTestUserWebhook } from "@/api/webhooks";
import { Button } from "@/components/button";
import { DeliveryMark, ReceiverMark } from "@/domain/webhooks/marks";
import { useReason } from "@/domain/webhooks/use-reason";
import { useTestRun } from "@/domain/webhooks/use-test-run";
import { useFolderOptions } from "./use-folder-options";

interface WebhookRowProps {
  webhook: UserWebhook;
  onEdit: () => void;
  onLog: () => void;
  onReplace: () => void;
  onDelete: () => void;
}

/** The address without the path, which may be long and secret. */
const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);

export function WebhookRow({ webhook, onEdit, onLog, onReplace, onDelete }: WebhookRowProps) {
  const { t } = useTranslation("webhooks");
  const test = useTestRun(webhook.id, useTestUserWebhook(), useReason());
  const named = (action: string) => t("named", { action, name: webhook.name });
  return (
    <li className="flex flex-col gap-3 border-b border-rule py-3.5">
      <div className="flex min-w-0 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="min-w-0 font-strong wrap-anywhere">{webhook.name}</h3>
          <ReceiverMark receiver={webhook} />
        </div>
        <p className="figures text-sm text-ink-soft wrap-anywhere">{hostOf(webhook.url)}</p>
        <p className="text-sm text-pretty text-ink-soft">
          {webhook.events.map((event) => t(`events.${event}.name`)).join(" · ")}
        </p>
        {webhook.folders.length > 0 && <Folders chosen={webhook.folders} />}
        {webhook.last_delivery && (
          <p className="flex flex-wrap items-center gap-x-2 text-sm text-ink-faint">
            {t("last_delivery")} <DeliveryMark status={webhook.last_delivery} />
          </p>
        )}
        {!webhook.is_active && webhook.disabled_by && <p className="max-w-[60ch] text-sm text-bad">{t("gone")}</p>}
        {test.why && <p className="max-w-[60ch] text-sm text-bad">{test.why}</p>}
      </div>
      <fieldset className="flex flex-wrap items-center gap-2">
        <legend className="sr-only">{t("actions_for", { name: webhook.name })}</legend>
        <Button size="small" busy={test.busy} aria-label={named(t("test"))} onClick={test.run}>
          {t("test")}
        </Button>
        <Button size="small" aria-label={named(t("log.open"))} onClick={onLog}>
          {t("log.open")}
        </Button>
        <Button size="small" aria-label={named(t("edit"))} onClick={onEdit}>
          {t("edit")}
        </Button>
        <Button size="small" aria-label={named(t("rotate.action"))} onClick={onReplace}>
          {t("rotate.action")}
        </Button>
        <Button size="small" aria-label={named(t("delete"))} onClick={onDelete}>
          {t("delete")}
        </Button>
      </fieldset>
    </li>
  );
}

/** The names of the folders; if all are deleted, why nothing is sent. */
function Folders({ chosen }: { chosen: readonly string[] }) {
  const { t } = useTranslation("webhooks");
  const { options } = useFolderOptions(chosen);
  const own = options?.filter(({ value }) => chosen.includes(value));
  const names = own?.map(({ label }) => label).join(", ");
  return (
    <>
      <p className="text-sm text-ink-soft wrap-anywhere">
        {names === undefined ? t("folders.some") : t("folders.only", { folders: names })}
      </p>
      {own?.every(({ isDeleted }) => isDeleted) && <p className="max-w-[60ch] text-sm text-warn">{t("folders.all_deleted")}</p>}
    </>
  );
}
