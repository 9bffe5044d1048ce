/** The editor's form: its values, violations found by the rules or the server, and saving. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { useCreateWebhook, useUpdateWebhook, type WebhookForm, type WebhookService } from "@/api/admin-webhooks";
import { useErrorText } from "@/hooks/use-error-text";
import type { BrokenRule } from "@/hooks/use-violation-text";
import { toast } from "@/lib/toast";
import { defaultWebhook, validateWebhook } from "@/rules";

/** A form with all fields. */
export type FilledForm = Required<WebhookForm>;

/** Why the server refused exactly this form. */
interface RefusedForm {
  form: FilledForm;
  violations: readonly BrokenRule[];
  failure: string | null;
}

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
  const { t } = useTranslation(["admin-webhooks", "rules"]);
  const errorText = useErrorText();
  const create = useCreateWebhook();
  const update = useUpdateWebhook();
  const [initial] = useState(() => formOf(service));
  const [form, setForm] = useState(initial);
  const [refusals, setRefusals] = useState(0);
  const [refused, setRefused] = useState<RefusedForm | null>(null);

  // After a refusal the rules are checked on every keystroke; violations that only the server knows stay until the form
  // changes.
  const brokenRules: readonly BrokenRule[] = refusals > 0 ? validateWebhook(form) : [];
  const violations = brokenRules.length > 0 ? brokenRules : refused?.form === form ? refused.violations : [];
  const missing = violations.some(({ code }) => code === "webhook_name_url_required");
  const failure = missing
    ? t("rules:violations.webhook_name_url_required")
    : brokenRules.length > 0
      ? t("rules:notes.fix_violations")
      : refused?.form === form
        ? refused.failure
        : null;

  const refuse = (violations: readonly BrokenRule[], failure: string | null) => {
    setRefused({ form, violations, failure });
    setRefusals((before) => before + 1);
  };

  return {
    form,
    unsaved: JSON.stringify(form) !== JSON.stringify(initial),
    change: (change: Partial<FilledForm>) => setForm((before) => ({ ...before, ...change })),
    failure,
    ofField: (field: keyof FilledForm) => violations.find((violation) => violation.field === field),
    saving: create.isPending || update.isPending,
    saved: create.isSuccess || update.isSuccess,
    /** `onRefused` is called if there are violations. */
    save: (onRefused: () => void) => {
      const broken = validateWebhook(form);
      if (broken.length > 0) {
        refuse(broken, null);
        return onRefused();
      }
      const onError = (error: unknown) => {
        const violations = error instanceof ApiError ? error.violations : [];
        const reason = violations.length > 0 ? t("rules:notes.fix_violations") : errorText(error);
        refuse(violations, `${t(service ? "update_failed" : "create_failed")}. ${reason}`);
        onRefused();
      };
      if (service) {
        const onSuccess = () => {
          toast.success(t("updated"));
          onSaved();
        };
        update.mutate({ id: service.id, form }, { onSuccess, onError });
      } else {
        const onSuccess = (created: { service: WebhookService; secret: string }) => {
          toast.success(t("created"));
          onSecret(created.service.name, created.secret);
        };
        create.mutate(form, { onSuccess, onError });
      }
    },
  };
}
