/** The form of an editor: its values, violations found by the rules or the server, and saving. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { useErrorText } from "@/hooks/use-error-text";
import type { BrokenRule } from "@/hooks/use-violation-text";

interface EditorOptions<Form> {
  /** What is filled in at first. */
  initial: () => Form;
  /** Violations that are known without the server. */
  validate?: (form: Form) => readonly BrokenRule[];
  /** Rejects if the server refuses the form. */
  save: (form: Form) => Promise<unknown>;
  /** Violations in a refusal of the server; by default those that it names. */
  violationsOf?: (error: unknown) => readonly BrokenRule[];
  /** Says that the form was not saved. */
  failed: string;
}

/** What an editor needs to show a form with at least these fields. */
export interface WebhookEditor<Form> {
  form: Form;
  /** Whether there is something to lose. */
  unsaved: boolean;
  change: (change: Partial<Form>) => void;
  /** Why the form as a whole was refused. */
  failure: string | null;
  ofField: (field: keyof Form) => BrokenRule | undefined;
  saving: boolean;
  /** `onRefused` is called if the form was not saved. */
  save: (onRefused: () => void) => Promise<void>;
}

/** Why the server refused exactly this form. */
interface RefusedForm<Form> {
  form: Form;
  violations: readonly BrokenRule[];
  failure: string | null;
}

const NONE: readonly BrokenRule[] = [];
const namedBy = (error: unknown) => (error instanceof ApiError ? error.violations : NONE);

/** The state of an editor. */
export function useWebhookEditor<Form extends object>(options: EditorOptions<Form>): WebhookEditor<Form> {
  const { validate = () => NONE, violationsOf = namedBy, failed } = options;
  const { t } = useTranslation("rules");
  const errorText = useErrorText();
  const [initial] = useState(options.initial);
  const [form, setForm] = useState(initial);
  const [step, setStep] = useState<"editing" | "saving" | "saved">("editing");
  const [refusals, setRefusals] = useState(0);
  const [refused, setRefused] = useState<RefusedForm<Form> | null>(null);

  // After a refusal the rules are checked on every keystroke; violations that only the server knows stay until the form
  // changes.
  const brokenRules = refusals > 0 ? validate(form) : NONE;
  const violations = brokenRules.length > 0 ? brokenRules : refused?.form === form ? refused.violations : NONE;
  const missing = violations.some(({ code }) => code === "webhook_name_url_required");
  const failure = missing
    ? t("violations.webhook_name_url_required")
    : brokenRules.length > 0
      ? t("notes.fix_violations")
      : refused?.form === form
        ? refused.failure
        : null;

  const refuse = (violations: readonly BrokenRule[], failure: string | null) => {
    setRefused({ form, violations, failure });
    setRefusals((before) => before + 1);
  };

  return {
    form,
    unsaved: step !== "saved" && JSON.stringify(form) !== JSON.stringify(initial),
    change: (change) => setForm((before) => ({ ...before, ...change })),
    failure,
    ofField: (field) => violations.find((violation) => violation.field === field),
    saving: step === "saving",
    save: async (onRefused) => {
      const broken = validate(form);
      if (broken.length > 0) {
        refuse(broken, null);
        return onRefused();
      }
      setStep("saving");
      try {
        await options.save(form);
        setStep("saved");
      } catch (error) {
        setStep("editing");
        const violations = violationsOf(error);
        refuse(violations, `${failed}. ${violations.length > 0 ? t("notes.fix_violations") : errorText(error)}`);
        onRefused();
      }
    },
  };
}
