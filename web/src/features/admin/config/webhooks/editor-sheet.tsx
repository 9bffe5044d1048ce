/** Adds or changes a service. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useRotateWebhookSecret, type WebhookService } from "@/api/admin-webhooks";
import { Checkbox } from "@/components/checkbox";
import { CONTROL, Field, FieldError } from "@/components/field";
import { InlineConfirm } from "@/components/inline-confirm";
import { EditorFrame } from "@/domain/webhooks/editor-frame";
import { useErrorText } from "@/hooks/use-error-text";
import { useViolationText } from "@/hooks/use-violation-text";
import { toast } from "@/lib/toast";
import { webhookCategories } from "@/rules";
import { TRANSCRIPTION_TYPES } from "@/rules/constants";
import { type FilledForm, useEditor } from "./use-editor";

interface EditorSheetProps {
  /** The service to change; null for a new one. */
  service: WebhookService | null;
  onClose: () => void;
  /** Called with a new secret, which must be shown now. */
  onSecret: (name: string, secret: string) => void;
}

export function EditorSheet({ service, onClose, onSecret }: EditorSheetProps) {
  const { t } = useTranslation(["admin-webhooks", "rules"]);
  const violationText = useViolationText();
  const editor = useEditor({ service, onSaved: onClose, onSecret });
  const { form: filled, change } = editor;
  const errorOf = (field: keyof FilledForm) => {
    const violation = editor.ofField(field);
    return violation && violationText(violation);
  };
  return (
    <EditorFrame
      title={t(service ? "editor.edit" : "editor.new")}
      changed={service?.name ?? null}
      editor={editor}
      errorOf={errorOf}
      urlHint={t("editor.url_hint")}
      onClose={onClose}
      after={service && <Secret service={service} onSecret={onSecret} />}
    >
      <Field label={t("editor.category")} hint={t(`category_about.${filled.category}`)} error={errorOf("category")}>
        {(wiring) => (
          <select
            {...wiring}
            className={CONTROL}
            value={filled.category}
            onChange={(event) => change({ category: event.currentTarget.value as FilledForm["category"] })}
          >
            {webhookCategories().map((category) => (
              <option key={category} value={category}>
                {t(`rules:webhook_category.${category}`)}
              </option>
            ))}
          </select>
        )}
      </Field>
      {filled.category === "transcription" && <Modes form={filled} change={change} error={errorOf("modes")} />}
      <Field label={t("editor.description")} error={errorOf("description")}>
        {(wiring) => (
          <textarea
            {...wiring}
            rows={2}
            className={`${CONTROL} h-auto min-h-16 resize-y py-2`}
            value={filled.description}
            onChange={(event) => change({ description: event.currentTarget.value })}
          />
        )}
      </Field>
      <Checkbox checked={filled.is_active} onChange={(is_active) => change({ is_active })}>
        {t("editor.active")}
      </Checkbox>
    </EditorFrame>
  );
}

interface ModesProps {
  form: FilledForm;
  change: (change: Partial<FilledForm>) => void;
  error: string | undefined;
}

function Modes({ form, change, error }: ModesProps) {
  const { t } = useTranslation(["admin-webhooks", "rules"]);
  const id = useId();
  const toggle = (mode: (typeof TRANSCRIPTION_TYPES)[number], on: boolean) =>
    change({ modes: TRANSCRIPTION_TYPES.filter((type) => (type === mode ? on : form.modes.includes(type))) });
  return (
    <fieldset aria-describedby={`${id}-hint ${id}-error`} className="flex flex-col gap-2.5">
      <legend className="mb-2 text-[0.9375rem] font-strong">{t("editor.modes")}</legend>
      <div className="flex flex-wrap gap-x-8 gap-y-3">
        {TRANSCRIPTION_TYPES.map((mode) => (
          <Checkbox key={mode} checked={form.modes.includes(mode)} onChange={(on) => toggle(mode, on)}>
            {t(`rules:transcription_type.${mode}`)}
          </Checkbox>
        ))}
      </div>
      <p id={`${id}-hint`} className="text-sm text-ink-faint">
        {t("editor.modes_hint")}
      </p>
      <FieldError id={`${id}-error`} text={error} />
    </fieldset>
  );
}

/** Creates a new secret for a service; the previous one stays valid for a day. */
function Secret({ service, onSecret }: { service: WebhookService; onSecret: (name: string, secret: string) => void }) {
  const { t } = useTranslation("admin-webhooks");
  const errorText = useErrorText();
  const rotate = useRotateWebhookSecret();
  const make = async () => {
    try {
      const { secret } = await rotate.mutateAsync(service.id);
      onSecret(service.name, secret);
    } catch (error) {
      toast.error(`${t("update_failed")}. ${errorText(error)}`);
    }
  };
  return (
    <section className="mt-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-rule pt-5">
      <div className="min-w-0 flex-1 basis-72">
        <h3 className="text-[0.9375rem] font-strong">{t("secret.title")}</h3>
        <p className="mt-0.5 text-sm text-ink-faint">{t("secret.about")}</p>
      </div>
      <InlineConfirm label={t("secret.new")} question={t("secret.question")} confirm={t("secret.yes")} onConfirm={make} />
    </section>
  );
}
