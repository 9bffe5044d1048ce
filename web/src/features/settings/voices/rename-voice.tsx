/** The name of a voice, in the place of its row. */
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { useRenameVoice, type Voice } from "@/api/voices";
import { Button } from "@/components/button";
import { Field, TextInput } from "@/components/field";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { MAX_SPEAKER_NAME } from "@/rules/constants";

export function RenameVoice({ voice, onDone }: { voice: Voice; onDone: () => void }) {
  const { t } = useTranslation(["voices", "settings", "common"]);
  const errorText = useErrorText();
  const violationText = useViolationText();
  const rename = useRenameVoice();
  const { form, refused } = useInvalidFocus();
  const [name, setName] = useState(voice.name);
  const [isEmpty, setEmpty] = useState(false);
  const field = useRef<HTMLInputElement>(null);

  // A frame later, because a closing menu first returns the focus to its button.
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.select();
    });
    return () => cancelAnimationFrame(frame);
  }, []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const newName = name.trim();
    if (newName === voice.name) return onDone();
    setEmpty(newName === "");
    if (newName === "") return refused();
    rename.mutate({ id: voice.id, name: newName }, { onSuccess: onDone, onError: refused });
  };
  const failure = (): string | undefined => {
    const [broken]: readonly BrokenRule[] = isEmpty
      ? [{ field: "name", code: "speaker_name_required" }]
      : rename.error instanceof ApiError
        ? rename.error.violations
        : [];
    if (broken) return violationText(broken);
    return rename.error ? errorText(rename.error) : undefined;
  };

  return (
    <form
      ref={form}
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => event.key === "Escape" && !event.nativeEvent.isComposing && onDone()}
      className="flex max-w-md flex-col gap-3"
    >
      <Field label={t("voices:list.rename_label", { name: voice.name })} hint={t("voices:list.rename_hint")} error={failure()}>
        {(wiring) => (
          <TextInput
            {...wiring}
            ref={field}
            value={name}
            maxLength={MAX_SPEAKER_NAME}
            autoComplete="off"
            onChange={(event) => {
              setName(event.target.value);
              setEmpty(false);
              rename.reset();
            }}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" size="small" busy={rename.isPending}>
          {t("settings:save.button")}
        </Button>
        <Button look="quiet" size="small" onClick={onDone}>
          {t("common:actions.cancel")}
        </Button>
      </div>
    </form>
  );
}
