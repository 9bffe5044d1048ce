/** The editor's form: its values, violations found by the rules or the server, and saving. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { type Preset, useCreatePreset, useUpdatePreset } from "@/api/presets";
import type { FilledForm } from "@/domain/presets/preset-form";
import type { Settings } from "@/domain/settings";
import { useErrorText } from "@/hooks/use-error-text";
import type { BrokenRule } from "@/hooks/use-violation-text";
import { toast } from "@/lib/toast";
import { validatePreset } from "@/rules";

const SETTINGS = "settings.";

/** Why the server refused exactly this form. */
interface RefusedForm {
  form: FilledForm;
  violations: readonly BrokenRule[];
  failure: string | null;
}

export function useEditor(preset: Preset | null, initial: FilledForm, onSaved: () => void) {
  const { t } = useTranslation(["presets", "rules"]);
  const errorText = useErrorText();
  const create = useCreatePreset();
  const update = useUpdatePreset();
  const [form, setForm] = useState(initial);
  /** The unmodified form. */
  const [untouched, setUntouched] = useState(initial);
  const [refusals, setRefusals] = useState(0);
  const [refused, setRefused] = useState<RefusedForm | null>(null);

  // After a refusal the rules are checked on every keystroke; violations that only the server knows stay until the form
  // changes.
  const brokenRules = refusals > 0 ? validatePreset(form) : [];
  const violations: readonly BrokenRule[] =
    brokenRules.length > 0 ? brokenRules : refused?.form === form ? refused.violations : [];
  const failure = brokenRules.length > 0 ? t("rules:notes.fix_violations") : refused?.form === form ? refused.failure : null;

  const refuse = (violations: readonly BrokenRule[], failure: string | null) => {
    setRefused({ form, violations, failure });
    setRefusals((before) => before + 1);
  };

  const refuseFor = (error: unknown) => {
    const violations = error instanceof ApiError ? error.violations : [];
    const reason = violations.length > 0 ? t("rules:notes.fix_violations") : errorText(error);
    refuse(violations, preset ? t("save_failed", { message: reason }) : `${t("create_failed")}. ${reason}`);
  };

  return {
    form,
    unsaved: JSON.stringify(form) !== JSON.stringify(untouched),
    change: (change: Partial<FilledForm>) => setForm((before) => ({ ...before, ...change })),
    /** Replaces the settings, which started as `start`; the rest stays as typed. */
    startFrom: (settings: Settings, start: Settings) => {
      setForm((before) => ({ ...before, settings }));
      setUntouched((before) => ({ ...before, settings: start }));
    },
    refusals,
    failure,
    ofField: (field: keyof FilledForm) => violations.find((violation) => violation.field === field),
    ofSettings: violations
      .filter(({ field }) => field.startsWith(SETTINGS))
      .map((violation) => ({ ...violation, field: violation.field.slice(SETTINGS.length) })),
    saving: create.isPending || update.isPending,
    saved: create.isSuccess || update.isSuccess,
    /** `onRefused` is called if there are violations. */
    save: (onRefused: () => void) => {
      const broken = validatePreset(form);
      if (broken.length > 0) {
        refuse(broken, null);
        return onRefused();
      }
      const onSuccess = () => {
        toast.success(t(preset ? "updated" : "created"));
        onSaved();
      };
      const onError = (error: unknown) => {
        refuseFor(error);
        onRefused();
      };
      if (preset) update.mutate({ id: preset.id, form }, { onSuccess, onError });
      else create.mutate(form, { onSuccess, onError });
    },
  };
}
