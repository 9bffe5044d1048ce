/** A button for what cannot be taken back: the question comes in its place, the answer is one step further. */
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";

interface InlineConfirmProps {
  /** What the button says. */
  label: string;
  /** The same with its object, for a list in which many buttons say the same. */
  description?: string;
  /** Of the button that opens it: quiet where something else comes first. */
  look?: "outline" | "quiet";
  question: string;
  /** The answer that does it. */
  confirm: string;
  /** Done while the answer's button turns; it says itself what went wrong. */
  onConfirm: () => Promise<unknown>;
}

export function InlineConfirm({ label, description, look = "outline", question, confirm, onConfirm }: InlineConfirmProps) {
  const { t } = useTranslation();
  const [step, setStep] = useState<"closed" | "asking" | "busy">("closed");
  const opener = useRef<HTMLButtonElement>(null);
  const answer = useRef<HTMLButtonElement>(null);
  const asked = useRef(false);

  useEffect(() => {
    if (step === "asking") answer.current?.focus();
    if (step === "closed" && asked.current) opener.current?.focus();
    asked.current = step !== "closed";
  }, [step]);

  if (step === "closed") {
    return (
      <Button
        ref={opener}
        size="small"
        look={look}
        aria-label={description}
        // Without an edge of its own it begins where the question will.
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
