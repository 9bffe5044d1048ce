/** Fields for limits and features, shared by plans and by accounts without a plan. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Checkbox } from "@/components/checkbox";
import { Field, TextInput } from "@/components/field";
import { INITIAL_FOCUS } from "@/components/sheet";
import { usePlanFeatures } from "@/hooks/use-plan-features";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { PLAN_FEATURES } from "@/rules/constants";
import type { TypedLimits } from "./typed-plan";

interface Edit<Typed> {
  typed: Typed;
  change: (change: Partial<Typed>) => void;
  violationOf: (field: keyof Typed) => BrokenRule | undefined;
}

/** The message for a field's violation. */
export function useFieldError<Typed>({
  violationOf,
}: Pick<Edit<Typed>, "violationOf">): (field: keyof Typed) => string | undefined {
  const violationText = useViolationText();
  return (field) => {
    const violation = violationOf(field);
    return violation && violationText(violation);
  };
}

interface LimitFieldsProps {
  edit: Edit<TypedLimits>;
  /** Whether they are the first fields of their sheet. */
  first?: boolean;
}

export function LimitFields({ edit, first = false }: LimitFieldsProps) {
  const { t } = useTranslation("admin-plans");
  const wrong = useFieldError(edit);
  return (
    <>
      <NumberField
        label={t("editor.monthly")}
        hint={t("editor.no_limit")}
        error={wrong("monthly_minutes_limit")}
        first={first}
        value={edit.typed.monthly_minutes_limit}
        onChange={(monthly_minutes_limit) => edit.change({ monthly_minutes_limit })}
      />
      <NumberField
        label={t("editor.longest")}
        hint={t("editor.any_length")}
        error={wrong("max_file_duration_minutes")}
        value={edit.typed.max_file_duration_minutes}
        onChange={(max_file_duration_minutes) => edit.change({ max_file_duration_minutes })}
      />
    </>
  );
}

interface NumberFieldProps {
  label: string;
  hint?: ReactNode;
  error: string | undefined;
  first?: boolean;
  value: string;
  onChange: (value: string) => void;
}

/** Not of type number: browsers report invalid numbers as empty, and empty has a meaning here. */
export function NumberField({ label, hint, error, first = false, value, onChange }: NumberFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(wiring) => (
        <TextInput
          {...wiring}
          {...(first && INITIAL_FOCUS)}
          inputMode="decimal"
          autoComplete="off"
          className="figures"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface FeatureFieldsProps {
  legend: string;
  edit: Edit<TypedLimits>;
  className?: string;
}

export function FeatureFields({ legend, edit, className = "" }: FeatureFieldsProps) {
  const { t } = useTranslation("rules");
  const { features } = edit.typed;
  const offered = usePlanFeatures();
  return (
    <fieldset className={`flex flex-col gap-2 ${className}`}>
      <legend className="mb-1.5 font-strong">{legend}</legend>
      {offered.map((feature) => (
        <Checkbox
          key={feature}
          checked={features.includes(feature)}
          onChange={(checked) =>
            edit.change({ features: PLAN_FEATURES.filter((known) => (known === feature ? checked : features.includes(known))) })
          }
        >
          {t(`comparison_row.${feature}`)}
        </Checkbox>
      ))}
    </fieldset>
  );
}
