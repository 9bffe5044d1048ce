/** Adds or changes a webhook. */
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import {
  type UserWebhook,
  type UserWebhookForm,
  useCreateUserWebhook,
  useUpdateUserWebhook,
  type WebhookEvent,
} from "@/api/webhooks";
import { Switch } from "@/components/switch";
import { EditorFrame } from "@/domain/webhooks/editor-frame";
import { useWebhookEditor } from "@/domain/webhooks/use-webhook-editor";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { toast } from "@/lib/toast";
import { EventsField } from "./events-field";
import { FoldersField } from "./folders-field";

/** What most programs wait for. */
const USUAL_EVENTS: WebhookEvent[] = ["job.completed", "job.failed"];

/** A form with all fields. */
type FilledForm = Required<UserWebhookForm>;

const REFUSED = "webhook_address_refused";

function formOf(webhook: UserWebhook | null): FilledForm {
  if (!webhook) return { name: "", url: "", is_active: true, events: USUAL_EVENTS, folders: [] };
  const { name, url, is_active, events, folders } = webhook;
  return { name, url, is_active, events, folders };
}

/** A refusal of the address belongs to its field. */
function violationsOf(error: unknown): readonly BrokenRule[] {
  if (!(error instanceof ApiError)) return [];
  return error.code === REFUSED ? [{ field: "url", code: REFUSED }] : error.violations;
}

interface EditorSheetProps {
  /** The webhook to change; null for a new one. */
  webhook: UserWebhook | null;
  onClose: () => void;
  /** Called with the secret of a new webhook, which must be shown now. */
  onSecret: (webhook: UserWebhook, secret: string) => void;
}

export function EditorSheet({ webhook, onClose, onSecret }: EditorSheetProps) {
  const { t } = useTranslation("webhooks");
  const violationText = useViolationText();
  const create = useCreateUserWebhook((created) => onSecret(created.webhook, created.secret));
  const update = useUpdateUserWebhook();
  const editor = useWebhookEditor<FilledForm>({
    initial: () => formOf(webhook),
    violationsOf,
    failed: t(webhook ? "update_failed" : "create_failed"),
    save: async (form) => {
      await (webhook ? update.mutateAsync({ id: webhook.id, form }) : create.mutateAsync(form));
      toast.success(t(webhook ? "updated" : "created"));
      if (webhook) onClose();
    },
  });
  const errorOf = (field: keyof FilledForm) => {
    const violation = editor.ofField(field);
    // The general texts speak to administrators, and do not say what is missing.
    if (violation?.code === REFUSED) return t("editor.address_refused");
    if (violation?.code === "list_empty") return t("editor.events_none");
    return violation && violationText(violation);
  };
  const { form, change } = editor;
  return (
    <EditorFrame
      title={t(webhook ? "editor.edit" : "editor.new")}
      changed={webhook?.name ?? null}
      editor={editor}
      errorOf={errorOf}
      urlHint={t("editor.url_hint")}
      onClose={onClose}
    >
      <EventsField events={form.events} error={errorOf("events")} onChange={(events) => change({ events })} />
      <FoldersField folders={form.folders} error={errorOf("folders")} onChange={(folders) => change({ folders })} />
      <Switch checked={form.is_active} onChange={(is_active) => change({ is_active })}>
        {t("editor.active")}
      </Switch>
    </EditorFrame>
  );
}
