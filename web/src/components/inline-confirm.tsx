/** A button for an irreversible action: a confirmation replaces it when it is clicked. */
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";

interface InlineConfirmProps {
  /** Label of the button. */
  label: string;
  /** Label including its object, for lists with many equal buttons. */
  description?: string;
  /** Style of the opening button: quiet if it is not the main action. */
  look?: "outline" | "quiet";
  question: string;
  /** Label of the confirming button. */
  confirm: string;
  /** Runs while the button shows a spinner; it must report its own errors. */
  onConfirm: () => Promise<unknown>;
}

export function InlineConfirm({ label, description, look = "outline", question, confirm, onConfirm }: InlineConfirmProps) {
  const { t } = useTranslation();
  const [step, setStep] = useState<"closed" | "asking" | "busy">("closed");
  const opener = useRef<HTMLButtonElement>(null);
  const answer = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);

  useEffect(() => {
    if (step === "asking") answer.current?.focus();
    if (step === "closed" && wasOpen.current) opener.current?.focus();
    wasOpen.current = step !== "closed";
  }, [step]);

  if (step === "closed") {
    return (
      <Button
        ref={opener}
        size="small"
        look={look}
        aria-label={description}
        // Without a border, it is aligned with the confirmation that replaces it.
        className={look === "quiet" ? "-ml-3" : undefined}
        onClick={() => setStep("asking")}
      >
        {label}
      </Button>
    );
  }
  return (
    <fieldset
      onKeyDown={(event: KeyboardEvent) => event.key === "Escape" && step === "asking" && setStep("closed")}
      className="flex flex-wrap items-center gap-2"
    >
      <legend className="float-left mr-1 text-sm">{question}</legend>
      <Button
        ref={answer}
        look="danger"
        size="small"
        busy={step === "busy"}
        onClick={() => {
          setStep("busy");
          void onConfirm().finally(() => setStep("closed"));
        }}
      >
        {confirm}
      </Button>
      <Button look="quiet" size="small" disabled={step === "busy"} onClick={() => setStep("closed")}>
        {t("actions.cancel")}
      </Button>
    </fieldset>
  );
}
