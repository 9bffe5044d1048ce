/** The field for a question: Enter sends it. */
import { Send, Square } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { CONTROL, FieldError } from "@/components/field";
import { IconButton } from "@/components/icon-button";
import { INITIAL_FOCUS } from "@/components/sheet";
import { useConnectionStatus } from "@/hooks/use-connection-status";
import { cx } from "@/lib/class-names";
import { MAX_QUESTION } from "@/rules/constants";
import type { Conversation } from "./use-conversation";

/** Whether an assistant is available; false until known. */
export function canAsk({ history }: Conversation): boolean {
  return history.data !== undefined && history.data.mode !== "none";
}

export function QuestionForm({ conversation: { current, ask, stop } }: { conversation: Conversation }) {
  const { t } = useTranslation("analysis");
  const online = useConnectionStatus() === "up";
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [question, setQuestion] = useState("");
  // Opening the assistant focuses the field.
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
    // Focus alone might leave the field under the dock.
    field.current?.scrollIntoView({ block: "nearest" });
  }, []);
  // Counted like the server: a character outside the BMP counts as one.
  const tooLong = [...question].length > MAX_QUESTION;
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    const trimmed = question.trim();
    if (trimmed === "" || tooLong || current || !online) {
      field.current?.focus();
      return;
    }
    ask(trimmed);
    setQuestion("");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
      event.preventDefault();
      submit();
    }
  };
  return (
    <form onSubmit={submit}>
      <div className="flex items-end gap-2">
        <textarea
          ref={field}
          {...INITIAL_FOCUS}
          rows={2}
          aria-label={t("assistant.question")}
          aria-describedby={`${id}-keys ${id}-error`}
          aria-invalid={tooLong || undefined}
          placeholder={t("assistant.placeholder")}
          value={question}
          onChange={(event) => setQuestion(event.target.value)}
          onKeyDown={onKeyDown}
          className={cx(
            CONTROL,
            "h-auto max-h-40 min-h-16 flex-1 resize-none lg:scroll-mb-[calc(6rem+var(--video-height,0px))] py-2 [field-sizing:content]",
          )}
        />
        {current ? (
          <IconButton label={t("assistant.stop")} onClick={stop} className="border border-edge text-ink">
            <Square aria-hidden="true" fill="currentColor" />
          </IconButton>
        ) : (
          <IconButton
            type="submit"
            label={t("assistant.ask")}
            className="bg-accent text-on-accent hover:bg-accent-strong hover:text-on-accent"
          >
            <Send aria-hidden="true" />
          </IconButton>
        )}
      </div>
      <p id={`${id}-keys`} className="sr-only">
        {t("assistant.keys")}
      </p>
      <FieldError
        id={`${id}-error`}
        text={tooLong ? t("assistant.tooLong", { max: MAX_QUESTION }) : online ? undefined : t("assistant.offline")}
      />
    </form>
  );
}
