/** A service: description, state and actions. */
import { useTranslation } from "react-i18next";
import { useDeleteWebhook, useTestWebhook, type WebhookService } from "@/api/admin-webhooks";
import { Button } from "@/components/button";
import { InlineConfirm } from "@/components/inline-confirm";
import { DeliveryMark, ReceiverMark } from "@/domain/webhooks/marks";
import { useTestRun } from "@/domain/webhooks/use-test-run";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import { useServiceReason } from "./use-reason";

interface ServiceRowProps {
  service: WebhookService;
  onEdit: (service: WebhookService) => void;
  onLog: (service: WebhookService) => void;
  onDeleted: () => void;
}

export function ServiceRow({ service, onEdit, onLog, onDeleted }: ServiceRowProps) {
  const { t } = useTranslation(["admin-webhooks", "webhooks", "rules"]);
  const errorText = useErrorText();
  const test = useTestRun(service.id, useTestWebhook(), useServiceReason());
  const remove = useDeleteWebhook();
  const named = (action: string) => t("webhooks:named", { action, name: service.name });

  const runDelete = async () => {
    try {
      await remove.mutateAsync(service.id);
      toast.success(t("deleted"));
      onDeleted();
    } catch (error) {
      toast.error(`${t("delete_failed")}. ${errorText(error)}`);
    }
  };

  return (
    <li className="grid gap-x-8 gap-y-3 py-3.5 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center">
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h4 className="min-w-0 font-strong wrap-anywhere">{service.name}</h4>
          <ReceiverMark receiver={service} />
        </div>
        <p className="figures mt-1 text-sm text-ink-soft wrap-anywhere">{service.url}</p>
        {service.description && (
          <p className="mt-1 max-w-[72ch] text-sm whitespace-pre-line text-ink-soft">{service.description}</p>
        )}
        <p className="mt-1 flex flex-wrap gap-x-4 text-sm text-ink-faint">
          {service.modes.length > 0 && (
            <span>{t("modes_of", { modes: service.modes.map((mode) => t(`rules:transcription_type.${mode}`)).join(", ") })}</span>
          )}
          {service.last_delivery && (
            <span className="inline-flex items-center gap-2">
              {t("webhooks:last_delivery")} <DeliveryMark status={service.last_delivery} />
            </span>
          )}
        </p>
        {test.why && <p className="mt-1 max-w-[72ch] text-sm text-bad">{test.why}</p>}
      </div>
      <fieldset className="flex flex-wrap items-center gap-2 lg:justify-end">
        <legend className="sr-only">{t("webhooks:actions_for", { name: service.name })}</legend>
        <Button size="small" busy={test.busy} aria-label={named(t("webhooks:test"))} onClick={test.run}>
          {t("webhooks:test")}
        </Button>
        <Button size="small" aria-label={named(t("webhooks:log.open"))} onClick={() => onLog(service)}>
          {t("webhooks:log.open")}
        </Button>
        <Button size="small" aria-label={named(t("webhooks:edit"))} onClick={() => onEdit(service)}>
          {t("webhooks:edit")}
        </Button>
        <InlineConfirm
          label={t("webhooks:delete")}
          description={named(t("webhooks:delete"))}
          question={t("delete_question")}
          confirm={t("delete_yes")}
          onConfirm={runDelete}
        />
      </fieldset>
    </li>
  );
}
