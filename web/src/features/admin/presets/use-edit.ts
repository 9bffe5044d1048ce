/** The edit dialog's form: its values, violations found by the rules or the server, checking and saving. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import type { ManagedPreset } from "@/api/managed-presets";
import { useUpdatePreset } from "@/api/presets";
import { type FilledForm, formOf } from "@/domain/presets/preset-form";
import type { Settings } from "@/domain/settings";
import { useErrorText } from "@/hooks/use-error-text";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { toast } from "@/lib/toast";
import { validatePreset } from "@/rules";
import { fieldOf } from "./edit-fields";

/** Why the server refused exactly this form. */
interface RefusedForm {
  form: FilledForm;
  violations: readonly BrokenRule[];
  failure: string | null;
}

export function useEdit(preset: ManagedPreset, onSaved: () => void) {
  const { t } = useTranslation(["admin-presets", "rules"]);
  const errorText = useErrorText();
  const violationText = useViolationText();
  const update = useUpdatePreset();
  const [untouched] = useState(() => formOf(preset));
  const [form, setForm] = useState(untouched);
  /** Incremented with every refusal, to show the first invalid field. */
  const [refusals, setRefusals] = useState(0);
  const [passed, setPassed] = useState<FilledForm | null>(null);
  const [refused, setRefused] = useState<RefusedForm | null>(null);

  // After a refusal the rules are checked on every keystroke; violations that only the server knows stay until the form
  // changes.
  const brokenRules = refusals > 0 ? validatePreset(form) : [];
  const refusal = refused?.form === form ? refused : null;
  const violations: readonly BrokenRule[] = brokenRules.length > 0 ? brokenRules : (refusal?.violations ?? []);

  const passes = (): boolean => {
    const broken = validatePreset(form);
    setPassed(broken.length === 0 ? form : null);
    if (broken.length > 0) setRefusals((before) => before + 1);
    return broken.length === 0;
  };

  const refuseFor = (error: unknown) => {
    const violations = error instanceof ApiError ? error.violations : [];
    const message = violations.length > 0 ? t("rules:notes.fix_violations") : errorText(error);
    const failure = t("save_failed", { message });
    setPassed(null);
    setRefused({ form, violations, failure });
    setRefusals((before) => before + 1);
    toast.error(failure);
  };

  return {
    form,
    change: (change: Partial<FilledForm>) => setForm((before) => ({ ...before, ...change })),
    set: (settings: Partial<Settings>) => setForm((before) => ({ ...before, settings: { ...before.settings, ...settings } })),
    unsaved: JSON.stringify(form) !== JSON.stringify(untouched),
    violations,
    refusals,
    /** Why it was not saved, if no single field is at fault. */
    failure: violations.length === 0 ? (refusal?.failure ?? null) : null,
    /** The form as it is now has passed the rules. */
    passed: passed === form,
    errorOf: (field: string) => {
      const broken = violations.find((violation) => fieldOf(violation.field) === field);
      return broken && violationText(broken);
    },
    validate: () => void passes(),
    saving: update.isPending,
    saved: update.isSuccess,
    save: () => {
      if (!passes()) return;
      const onSuccess = () => {
        toast.success(t("updated"));
        onSaved();
      };
      update.mutate({ id: preset.id, form }, { onSuccess, onError: refuseFor });
    },
  };
}
