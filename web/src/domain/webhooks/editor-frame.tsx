/** The editor of a receiver: name, address, and the fields of its kind. */
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { Field, TextInput } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { GuardedSheet } from "@/components/guarded-sheet";
import { INITIAL_FOCUS } from "@/components/sheet";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import type { WebhookEditor } from "./use-webhook-editor";

interface Addressed {
  name: string;
  url: string;
}

interface EditorFrameProps {
  title: string;
  /** Name of the receiver to change; null for a new one. */
  changed: string | null;
  editor: WebhookEditor<Addressed>;
  errorOf: (field: keyof Addressed) => string | undefined;
  /** What is sent to the address, and which addresses are allowed. */
  urlHint: string;
  onClose: () => void;
  /** The other fields. */
  children: ReactNode;
  /** Below the form. */
  after?: ReactNode;
}

/** Asks before unsaved changes are lost. */
export function EditorFrame(props: EditorFrameProps) {
  const { title, changed, editor, errorOf, urlHint, onClose, children, after } = props;
  const { t } = useTranslation(["webhooks", "common"]);
  const { form, refused } = useInvalidFocus();
  const id = useId();
  const { form: filled, change } = editor;
  return (
    <GuardedSheet
      title={title}
      {...(changed !== null && { subject: changed })}
      unsaved={editor.unsaved}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={editor.saving}>
            {t("common:actions.cancel")}
          </Button>
          <Button look="primary" type="submit" form={id} busy={editor.saving}>
            {t(changed === null ? "editor.create" : "editor.save")}
          </Button>
        </>
      }
    >
      <form
        id={id}
        ref={form}
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          void editor.save(refused);
        }}
      >
        <FormAlert text={editor.failure} />
        <Field label={t("editor.name")} error={errorOf("name")}>
          {(wiring) => (
            <TextInput
              {...wiring}
              {...INITIAL_FOCUS}
              required
              autoComplete="off"
              value={filled.name}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
          )}
        </Field>
        <Field label={t("editor.url")} hint={urlHint} error={errorOf("url")}>
          {(wiring) => (
            <TextInput
              {...wiring}
              type="url"
              required
              autoComplete="off"
              spellCheck={false}
              placeholder="https://example.com/slovo"
              value={filled.url}
              onChange={(event) => change({ url: event.currentTarget.value })}
            />
          )}
        </Field>
        {children}
      </form>
      {after}
    </GuardedSheet>
  );
}
