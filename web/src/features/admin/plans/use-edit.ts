/** The forms for a plan, and for limits without a plan. */
import { useTranslation } from "react-i18next";
import { type DemoPlan, type ManagedPlan, useCreatePlan, useSetDemoPlan, useUpdatePlan } from "@/api/managed-plans";
import { toast } from "@/lib/toast";
import { validatePlan } from "@/rules";
import { demoOf, demoViolations, formOf, typedDemo, typedOf } from "./typed-plan";
import { useTypedForm } from "./use-typed-form";

export function useEdit(plan: ManagedPlan | null, onSaved: () => void) {
  const { t } = useTranslation("admin-plans");
  const create = useCreatePlan();
  const update = useUpdatePlan();
  const form = useTypedForm({
    initial: () => typedOf(plan),
    formOf,
    validate: validatePlan,
    send: (form, settled) => (plan ? update.mutate({ id: plan.id, form }, settled) : create.mutate(form, settled)),
    onSaved: () => {
      toast.success(t(plan ? "updated" : "created"));
      onSaved();
    },
  });
  return { ...form, saving: create.isPending || update.isPending, saved: create.isSuccess || update.isSuccess };
}

export function useDemoEdit(demo: DemoPlan, onSaved: () => void) {
  const { t } = useTranslation("admin-plans");
  const set = useSetDemoPlan();
  const form = useTypedForm({
    initial: () => typedDemo(demo),
    formOf: demoOf,
    validate: demoViolations,
    send: set.mutate,
    onSaved: () => {
      toast.success(t("demo.saved"));
      onSaved();
    },
  });
  return { ...form, saving: set.isPending, saved: set.isSuccess };
}
