/** A form in a sheet: its values, violations found by the rules or the server, and saving. */
import { useState } from "react";
import { ApiError } from "@/api";
import type { BrokenRule } from "@/hooks/use-violation-text";
import { toast } from "@/lib/toast";
import { useFailureText } from "./use-failure-text";

interface SendCallbacks {
  onSuccess: () => void;
  onError: (error: unknown) => void;
}

interface TypedFormOptions<Typed, Form> {
  initial: () => Typed;
  formOf: (typed: Typed) => Form;
  /** Violations that prevent sending. */
  validate: (form: Form) => readonly BrokenRule[];
  send: (form: Form, settled: SendCallbacks) => void;
  onSaved: () => void;
}

/** Why the server refused exactly this form. */
interface RefusedForm<Typed> {
  typed: Typed;
  violations: readonly BrokenRule[];
  failure: string | null;
}

export function useTypedForm<Typed extends object, Form>({
  initial,
  formOf,
  validate,
  send,
  onSaved,
}: TypedFormOptions<Typed, Form>) {
  const failureText = useFailureText("failed");
  const [untouched] = useState(initial);
  const [typed, setTyped] = useState(untouched);
  const [refused, setRefused] = useState<RefusedForm<Typed> | null>(null);

  // After a refusal the rules are checked on every keystroke; violations that only the server knows stay until the form
  // changes.
  const brokenRules = refused ? validate(formOf(typed)) : [];
  const same = refused?.typed === typed ? refused : null;
  const violations: readonly BrokenRule[] = brokenRules.length > 0 ? brokenRules : (same?.violations ?? []);

  const save = (onRefused: () => void) => {
    const form = formOf(typed);
    const broken = validate(form);
    const refuse = (violations: readonly BrokenRule[], failure: string | null) => {
      setRefused({ typed, violations, failure });
      onRefused();
    };
    if (broken.length > 0) return refuse(broken, null);
    const onError = (error: unknown) => {
      const violations = error instanceof ApiError ? error.violations : [];
      // Errors shown at their fields are not repeated above them.
      const shownAtFields = violations.length > 0 && violations.every(({ field }) => Object.hasOwn(typed, field));
      const text = shownAtFields ? null : failureText(error);
      if (text) toast.error(text);
      refuse(violations, text);
    };
    send(form, { onSuccess: onSaved, onError });
  };

  return {
    typed,
    change: (change: Partial<Typed>) => setTyped((before) => ({ ...before, ...change })),
    unsaved: JSON.stringify(typed) !== JSON.stringify(untouched),
    failure: brokenRules.length > 0 ? null : (same?.failure ?? null),
    violationOf: (field: keyof Typed) => violations.find((violation) => violation.field === field),
    /** `onRefused` is called if there are violations. */
    save,
  };
}
