/** A comment on a line, with the visitor's name. */
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { Button } from "@/components/button";
import { CONTROL, Field, TextInput } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { useErrorText } from "@/hooks/use-error-text";
import { useViolationText } from "@/hooks/use-violation-text";
import { formatClock } from "@/lib/format";
import { newUuid } from "@/lib/tab-client";
import { toast } from "@/lib/toast";
import { useComment } from "./api";
import type { CommentsState, Draft } from "./comments";

interface CommentFormProps {
  draft: Draft;
  start: number;
  commenting: CommentsState;
}

export function CommentForm({ draft, start, commenting }: CommentFormProps) {
  const { t } = useTranslation("sharing");
  const errorText = useErrorText();
  const violationText = useViolationText();
  const { token, name, setName, setDraft } = commenting;
  const comment = useComment(token);
  const form = useRef<HTMLFormElement>(null);

  useEffect(() => {
    const fields = form.current?.querySelectorAll<HTMLElement>("input, textarea");
    const empty = [...(fields ?? [])].find((field) => (field as HTMLInputElement).value === "");
    empty?.focus();
  }, []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await comment.mutateAsync({ id: draft.id, segment: draft.line, name, text: draft.text });
      toast.success(t("page.comments.sent"));
      // A comment on another line may have been started meanwhile.
      setDraft((current) => (current?.id === draft.id ? null : current));
    } catch {
      // Errors are shown at the fields.
    }
  };

  const { error } = comment;
  const broken = error instanceof ApiError ? error.violations : [];
  const errorOf = (field: string) => {
    const rule = broken.find((brokenRule) => brokenRule.field === field);
    return rule && violationText(rule);
  };
  const other = error && !errorOf("name") && !errorOf("text") ? errorText(error) : null;
  return (
    <form
      ref={form}
      noValidate
      aria-label={t("page.comments.writeOn", { time: formatClock(start) })}
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === "Escape" && draft.text === "") setDraft(null);
      }}
      className="flex w-full max-w-[36rem] flex-col gap-3 rounded border border-rule-strong bg-paper-raised p-4"
    >
      <FormAlert text={other} />
      <Field label={t("page.comments.name")} error={errorOf("name")}>
        {(wiring) => (
          <TextInput
            {...wiring}
            required
            autoComplete="name"
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
      </Field>
      <Field label={t("page.comments.text")} hint={t("page.comments.seen")} error={errorOf("text")}>
        {(wiring) => (
          <textarea
            {...wiring}
            required
            rows={3}
            className={`${CONTROL} h-auto min-h-20 resize-y py-2`}
            value={draft.text}
            // A failed comment may have arrived anyway, so another text gets a new id.
            onChange={({ currentTarget }) =>
              setDraft({ ...draft, text: currentTarget.value, ...(comment.isError && { id: newUuid() }) })
            }
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" look="primary" busy={comment.isPending}>
          {t("page.comments.send")}
        </Button>
        <Button size="small" look="quiet" onClick={() => setDraft(null)}>
          {t("page.comments.cancel")}
        </Button>
      </div>
    </form>
  );
}
