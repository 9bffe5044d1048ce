/** The trial for new accounts and the refund period, which the public pages state. */
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { type ManagedPlan, type PlanTermsInForce, planTermsQuery, useSetPlanTerms } from "@/api/managed-plans";
import { Button } from "@/components/button";
import { CONTROL, Field } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { Skeleton } from "@/components/skeleton";
import { ErrorState } from "@/components/state-panel";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { useViolationText } from "@/hooks/use-violation-text";
import { toast } from "@/lib/toast";
import { NumberField } from "./plan-fields";

interface TermsPanelProps {
  plans: readonly ManagedPlan[] | undefined;
}

export function TermsPanel({ plans }: TermsPanelProps) {
  const { t } = useTranslation("admin-plans");
  const { data: terms, error, refetch } = useQuery(planTermsQuery());
  const title = useId();
  if (error && !terms) return <ErrorState title={t("terms.load_failed")} error={error} onRetry={() => void refetch()} />;
  return (
    <section aria-labelledby={title} aria-busy={!terms} className="flex flex-col gap-3 rounded-lg border border-rule-strong p-4">
      <h3 id={title} className="headline text-lg leading-snug">
        {t("terms.title")}
      </h3>
      <p className="max-w-[70ch] text-sm text-ink-soft">{t(terms?.in_force === false ? "terms.organisation" : "terms.text")}</p>
      {terms && plans ? <TermsForm terms={terms} plans={plans} /> : <Skeleton className="h-16 w-full" />}
    </section>
  );
}

/** NaN for anything but digits: the rules refuse it. */
const daysOf = (box: string): number => (/^\d{0,9}$/.test(box.trim()) ? Number(box.trim()) : Number.NaN);

function TermsForm({ terms, plans }: { terms: PlanTermsInForce; plans: readonly ManagedPlan[] }) {
  const { t } = useTranslation("admin-plans");
  const set = useSetPlanTerms();
  const { form, refused } = useInvalidFocus();
  const { wrong, failure } = useRefusal(set.error);
  const [plan, setPlan] = useState(terms.trial_plan ?? "");
  const [trial, setTrial] = useState(String(terms.trial_days));
  const [refund, setRefund] = useState(String(terms.refund_days));
  const [unread, setUnread] = useState<readonly string[]>([]);
  const error = (field: string) => (unread.includes(field) ? t("terms.whole") : wrong(field));

  const save = (event: FormEvent) => {
    event.preventDefault();
    const days = { trial_days: daysOf(trial), refund_days: daysOf(refund) };
    const broken = Object.entries(days).flatMap(([field, value]) => (Number.isNaN(value) ? [field] : []));
    setUnread(broken);
    if (broken.length > 0) return refused();
    set.mutate(
      { trial_plan: plan === "" ? null : plan, ...days },
      { onSuccess: () => toast.success(t("terms.saved")), onError: refused },
    );
  };

  return (
    <form ref={form} noValidate onSubmit={save} className="mt-1 flex flex-col gap-4">
      <FormAlert text={failure} />
      <div className="grid gap-x-5 gap-y-4 sm:grid-cols-3">
        <Field label={t("terms.trial_plan")} error={error("trial_plan")}>
          {(wiring) => (
            <select {...wiring} className={CONTROL} value={plan} onChange={(event) => setPlan(event.target.value)}>
              <option value="">{t("terms.no_trial")}</option>
              {plans.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <NumberField label={t("terms.trial_days")} error={error("trial_days")} value={trial} onChange={setTrial} />
        <NumberField
          label={t("terms.refund_days")}
          hint={t("terms.no_refund")}
          error={error("refund_days")}
          value={refund}
          onChange={setRefund}
        />
      </div>
      <Button size="small" type="submit" busy={set.isPending} className="self-start">
        {t("terms.save")}
      </Button>
    </form>
  );
}

/** The server's violations per field, and for the whole form. */
function useRefusal(error: unknown) {
  const errorText = useErrorText();
  const violationText = useViolationText();
  const violations = error instanceof ApiError ? error.violations : [];
  const wrong = (field: string) => {
    const violation = violations.find((rule) => rule.field === field);
    return violation && violationText(violation);
  };
  return { wrong, failure: error === null || violations.length > 0 ? null : errorText(error) };
}
