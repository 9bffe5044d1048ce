/** Adds or changes a target. */
import { Cloud, FolderOpen, type LucideIcon } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { type Target, type TargetFormat, type TargetKind, useCreateTarget, useUpdateTarget } from "@/api/targets";
import { Button } from "@/components/button";
import { Checkbox } from "@/components/checkbox";
import { CONTROL, Field, TextInput } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { GuardedSheet } from "@/components/guarded-sheet";
import { INITIAL_FOCUS } from "@/components/sheet";
import { Switch } from "@/components/switch";
import { useWebhookEditor } from "@/domain/webhooks/use-webhook-editor";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { useViolationText } from "@/hooks/use-violation-text";
import { toast } from "@/lib/toast";
import { TARGET_FORMATS } from "@/rules/constants";
import { KindField } from "../places/kind-field";
import { PasswordField } from "../places/password-field";
import { REFUSED, violationsOf } from "../places/refused-address";
import { type FilledForm, filledOf, requestOf } from "./form";
import { GroupField } from "./group-field";

const ICONS: Record<TargetKind, LucideIcon> = { webdav: Cloud, folder: FolderOpen };
const EXAMPLES: Record<TargetKind, string> = {
  webdav: "https://cloud.example.com/remote.php/dav/files/olena/Notes/",
  folder: "/srv/texts",
};

interface TargetEditorProps {
  /** The target to change; null for a new one. */
  target: Target | null;
  /** What may be added. */
  kinds: readonly TargetKind[];
  /** Folders of the server below which one may be. */
  folders: readonly string[];
  onClose: () => void;
}

export function TargetEditor({ target, kinds, folders, onClose }: TargetEditorProps) {
  const { t } = useTranslation(["targets", "sources", "common"]);
  const violationText = useViolationText();
  const { form: element, refused } = useInvalidFocus();
  const create = useCreateTarget();
  const update = useUpdateTarget();
  const id = useId();
  const editor = useWebhookEditor<FilledForm>({
    initial: () => filledOf(target, kinds[0] ?? "webdav"),
    violationsOf,
    failed: t(target ? "update_failed" : "create_failed"),
    save: async (filled) => {
      const form = requestOf(filled);
      await (target ? update.mutateAsync({ id: target.id, form }) : create.mutateAsync(form));
      toast.success(t(target ? "updated" : "created"));
      onClose();
    },
  });
  const { form, change } = editor;
  const { kind } = form;
  const errorOf = (field: keyof FilledForm) => {
    const violation = editor.ofField(field);
    return violation && (violation.code === REFUSED ? t("sources:editor.address_refused") : violationText(violation));
  };
  const options = kinds.map((one) => ({
    kind: one,
    icon: ICONS[one],
    name: t(`kinds.${one}.name`),
    text: t(`kinds.${one}.text`),
  }));
  return (
    <GuardedSheet
      title={t(target ? "editor.edit" : "editor.new")}
      {...(target && { subject: target.name })}
      unsaved={editor.unsaved}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={editor.saving}>
            {t("common:actions.cancel")}
          </Button>
          <Button look="primary" type="submit" form={id} busy={editor.saving}>
            {t(target ? "editor.save" : "editor.create")}
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
        {!target && kinds.length > 1 && (
          <KindField legend={t("editor.kind")} options={options} kind={kind} onChange={(kind) => change({ kind })} />
        )}
        <Field label={t("sources:editor.name")} error={errorOf("name")}>
          {(wiring) => (
            <TextInput
              {...wiring}
              {...((target || kinds.length < 2) && INITIAL_FOCUS)}
              required
              autoComplete="off"
              value={form.name}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
          )}
        </Field>
        <Field
          label={t(`kinds.${kind}.location`)}
          hint={kind === "folder" ? t("kinds.folder.hint", { folders: folders.join(", ") }) : t("kinds.webdav.hint")}
          error={errorOf("location")}
        >
          {(wiring) => (
            <TextInput
              {...wiring}
              type={kind === "folder" ? "text" : "url"}
              required
              autoComplete="off"
              spellCheck={false}
              placeholder={EXAMPLES[kind]}
              value={form.location}
              onChange={(event) => change({ location: event.currentTarget.value })}
            />
          )}
        </Field>
        {kind === "webdav" && (
          <>
            <Field label={t("sources:kinds.webdav.user")} error={errorOf("user")}>
              {(wiring) => (
                <TextInput
                  {...wiring}
                  autoComplete="off"
                  spellCheck={false}
                  value={form.user}
                  onChange={(event) => change({ user: event.currentTarget.value })}
                />
              )}
            </Field>
            <PasswordField
              label={t("sources:kinds.webdav.password")}
              stored={target}
              form={form}
              error={errorOf("password")}
              change={change}
            />
          </>
        )}
        <Field label={t("editor.format")} hint={t(`formats.${form.format}.hint`)}>
          {(wiring) => (
            <select
              {...wiring}
              className={CONTROL}
              value={form.format}
              onChange={(event) => change({ format: event.currentTarget.value as TargetFormat })}
            >
              {TARGET_FORMATS.map((format) => (
                <option key={format} value={format}>
                  {t(`formats.${format}.name`)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <GroupField chosen={form.group_id} onChange={(group_id) => change({ group_id })} />
        {!target && (
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
