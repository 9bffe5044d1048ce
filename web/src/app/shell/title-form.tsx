/** The heading while it is edited: Enter saves, Escape cancels, errors are shown. */
import { Check, X } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { CONTROL, FieldError } from "@/components/field";
import { IconButton } from "@/components/icon-button";
import { useErrorText } from "@/hooks/use-error-text";
import { useViolationText } from "@/hooks/use-violation-text";
import { cx } from "@/lib/class-names";
import type { Naming } from "@/lib/page-heading";

interface TitleFormProps {
  naming: Naming;
  onClose: () => void;
}

export function TitleForm({ naming: { currentName, defaultName, save }, onClose }: TitleFormProps) {
  const { t } = useTranslation(["shell", "common"]);
  const reasonOf = useReason();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(currentName || defaultName);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);

  useEffect(() => input.current?.select(), []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setFailure(null);
    try {
      // The default name is not stored as a title.
      await save(name.trim() === defaultName ? "" : name);
      onClose();
    } catch (error) {
      setFailure(error);
      setBusy(false);
      input.current?.focus();
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // During IME composition, Escape cancels the composition only.
    if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
    event.stopPropagation();
    onClose();
  };

  const error = failure === null ? undefined : t("naming.failed", { reason: reasonOf(failure) });
  return (
    <form
      noValidate
      data-keeps-focus
      onSubmit={(event) => void submit(event)}
      onKeyDown={onKeyDown}
      className="flex min-w-0 flex-1 items-center gap-1"
    >
      <label htmlFor={id} className="sr-only">
        {t("naming.label")}
      </label>
      <input
        id={id}
        ref={input}
        type="text"
        autoComplete="off"
        value={name}
        placeholder={defaultName}
        aria-describedby={`${id}-error`}
        {...(error && { "aria-invalid": true })}
        onChange={({ currentTarget }) => {
          setName(currentTarget.value);
          setFailure(null);
        }}
        className={cx(CONTROL, "flex-1 font-serif")}
      />
      <IconButton type="submit" label={t("naming.save")} busy={busy}>
        <Check aria-hidden="true" />
      </IconButton>
      <IconButton label={t("common:actions.cancel")} onClick={onClose}>
        <X aria-hidden="true" />
      </IconButton>
      {/* Below the header, whose height does not change. */}
      <div
        className={cx(
          "absolute inset-x-0 top-full border-b border-rule-strong bg-paper-raised px-4 py-2 md:px-8",
          !error && "sr-only",
        )}
      >
        <FieldError id={`${id}-error`} text={error} />
      </div>
    </form>
  );
}

/** The message for an invalid name or a failed save. */
function useReason(): (error: unknown) => string {
  const errorText = useErrorText();
  const violationText = useViolationText();
  return (error) => {
    const broken = error instanceof ApiError ? error.violations[0] : undefined;
    return broken ? violationText(broken) : errorText(error);
  };
}
