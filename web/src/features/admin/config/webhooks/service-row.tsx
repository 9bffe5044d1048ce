/** A service: description, state and actions. */
import { useTranslation } from "react-i18next";
import { useDeleteWebhook, useTestWebhook, type WebhookService } from "@/api/admin-webhooks";
import { Button } from "@/components/button";
import { InlineConfirm } from "@/components/inline-confirm";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import { DeliveryMark, ServiceMark } from "./marks";
import { useReason } from "./use-reason";
import { useTestWords } from "./use-test-words";

interface ServiceRowProps {
  service: WebhookService;
  onEdit: (service: WebhookService) => void;
  onLog: (service: WebhookService) => void;
  onDeleted: () => void;
}

export function ServiceRow({ service, onEdit, onLog, onDeleted }: ServiceRowProps) {
  const { t } = useTranslation(["admin-webhooks", "rules"]);
  const errorText = useErrorText();
  const tell = useTestWords();
  const reason = useReason();
  const test = useTestWebhook();
  const remove = useDeleteWebhook();
  const named = (action: string) => t("named", { action, name: service.name });
  const why = test.data && reason(test.data.error, test.data.status);

  const runTest = () =>
    test.mutate(service.id, {
      onSuccess: tell,
      onError: (error) => toast.error(`${t("test_failed")}. ${errorText(error)}`),
    });
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
          <ServiceMark service={service} />
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
              {t("last_delivery")} <DeliveryMark status={service.last_delivery} />
            </span>
          )}
        </p>
        {why && <p className="mt-1 max-w-[72ch] text-sm text-bad">{why}</p>}
      </div>
      <fieldset className="flex flex-wrap items-center gap-2 lg:justify-end">
        <legend className="sr-only">{t("actions_for", { name: service.name })}</legend>
        <Button size="small" busy={test.isPending} aria-label={named(t("test"))} onClick={runTest}>
          {t("test")}
        </Button>
        <Button size="small" aria-label={named(t("log.open"))} onClick={() => onLog(service)}>
          {t("log.open")}
        </Button>
        <Button size="small" aria-label={named(t("edit"))} onClick={() => onEdit(service)}>
          {t("edit")}
        </Button>
        <InlineConfirm
          label={t("delete")}
          description={named(t("delete"))}
          question={t("delete_question")}
          confirm={t("delete_yes")}
          onConfirm={runDelete}
        />
      </fieldset>
    </li>
  );
}
