/** The editor of a service: its form, and saving it. */
import { useTranslation } from "react-i18next";
import { useCreateWebhook, useUpdateWebhook, type WebhookForm, type WebhookService } from "@/api/admin-webhooks";
import { useWebhookEditor } from "@/domain/webhooks/use-webhook-editor";
import { toast } from "@/lib/toast";
import { defaultWebhook, validateWebhook } from "@/rules";

/** A form with all fields. */
export type FilledForm = Required<WebhookForm>;

function formOf(service: WebhookService | null): FilledForm {
  if (!service) return { ...defaultWebhook(), modes: [] } as FilledForm;
  const { name, url, description, category, is_active, modes } = service;
  return { name, url, description, category, is_active, modes };
}

interface EditorOptions {
  service: WebhookService | null;
  onSaved: () => void;
  /** Called with the secret of a new service. */
  onSecret: (name: string, secret: string) => void;
}

export function useEditor({ service, onSaved, onSecret }: EditorOptions) {
  const { t } = useTranslation("admin-webhooks");
  const create = useCreateWebhook();
  const update = useUpdateWebhook();
  return useWebhookEditor<FilledForm>({
    initial: () => formOf(service),
    validate: validateWebhook,
    failed: t(service ? "update_failed" : "create_failed"),
    save: async (form) => {
      if (service) {
        await update.mutateAsync({ id: service.id, form });
        toast.success(t("updated"));
        onSaved();
      } else {
        const created = await create.mutateAsync(form);
        toast.success(t("created"));
        onSecret(created.service.name, created.secret);
      }
    },
  });
}
