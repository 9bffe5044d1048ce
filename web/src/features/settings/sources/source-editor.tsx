/** Adds or changes a source. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { type Source, type SourceKind, useCreateSource, useUpdateSource } from "@/api/sources";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { Field, TextInput } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { GuardedSheet } from "@/components/guarded-sheet";
import { INITIAL_FOCUS } from "@/components/sheet";
import { Switch } from "@/components/switch";
import { useWebhookEditor } from "@/domain/webhooks/use-webhook-editor";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { useViolationText } from "@/hooks/use-violation-text";
import { toast } from "@/lib/toast";
import { REFUSED, violationsOf } from "../places/refused-address";
import { asksForExisting, type FilledForm, filledOf, requestOf } from "./form";
import { SourceKindField } from "./kind-field";
import { LocationFields } from "./location-fields";
import { PresetField } from "./preset-field";

interface SourceEditorProps {
  /** The source to change; null for a new one. */
  source: Source | null;
  /** What may be added. */
  kinds: readonly SourceKind[];
  watchedFolders: readonly string[];
  onClose: () => void;
}

export function SourceEditor({ source, kinds, watchedFolders, onClose }: SourceEditorProps) {
  const { t } = useTranslation(["sources", "common"]);
  const violationText = useViolationText();
  const { form: element, refused } = useInvalidFocus();
  const create = useCreateSource();
  const update = useUpdateSource();
  const id = useId();
  const editor = useWebhookEditor<FilledForm>({
    initial: () => filledOf(source, kinds[0] ?? "podcast"),
    violationsOf,
    failed: t(source ? "update_failed" : "create_failed"),
    save: async (filled) => {
      const form = requestOf(filled);
      await (source ? update.mutateAsync({ id: source.id, form }) : create.mutateAsync(form));
      toast.success(t(source ? "updated" : "created"));
      onClose();
    },
  });
  const { form, change } = editor;
  const errorOf = (field: keyof FilledForm) => {
    const violation = editor.ofField(field);
    return violation && (violation.code === REFUSED ? t("editor.address_refused") : violationText(violation));
  };
  return (
    <GuardedSheet
      title={t(source ? "editor.edit" : "editor.new")}
      {...(source && { subject: source.name })}
      unsaved={editor.unsaved}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={editor.saving}>
            {t("common:actions.cancel")}
          </Button>
          <Button look="primary" type="submit" form={id} busy={editor.saving}>
            {t(source ? "editor.save" : "editor.create")}
          </Button>
        </>
      }
    >
      <form
        id={id}
        ref={element}
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          void editor.save(refused);
        }}
      >
        <FormAlert text={editor.failure} />
        {!source && <SourceKindField kinds={kinds} kind={form.kind} onChange={(kind) => change({ kind })} />}
        <Field label={t("editor.name")} error={errorOf("name")}>
          {(wiring) => (
            <TextInput
              {...wiring}
              {...(source && INITIAL_FOCUS)}
              required
              autoComplete="off"
              value={form.name}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
          )}
        </Field>
        <LocationFields source={source} form={form} watchedFolders={watchedFolders} errorOf={errorOf} change={change} />
        <PresetField chosen={form.preset_id} source={source} onChange={(preset_id) => change({ preset_id })} />
        {asksForExisting(source, form) && (
          <Checkbox checked={form.take_existing} onChange={(take_existing) => change({ take_existing })}>
            {t("editor.take_existing")}
            <span className="block text-sm text-ink-soft">{t("editor.take_existing_hint")}</span>
          </Checkbox>
        )}
        <Switch checked={form.is_active} onChange={(is_active) => change({ is_active })}>
          {t("editor.active")}
        </Switch>
      </form>
    </GuardedSheet>
  );
}
