/** Shows the plan that is requested with the account, with a button to remove it. */
import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import { chosenPlanQuery } from "@/api";
import { IconButton } from "@/components/icon-button";
import { planOfReturnTarget, returnTargetFrom, withoutPlan } from "@/lib/chosen-plan";

export function ChosenPlanNote() {
  const { t } = useTranslation("auth");
  const navigate = useNavigate();
  const location = useLocation();
  const plan = planOfReturnTarget(returnTargetFrom(location));
  const { data: name } = useQuery({ ...chosenPlanQuery(plan ?? ""), enabled: plan !== null });
  // A plan that is not on the price list is not requested.
  if (plan === null || !name) return null;
  const remove = () => {
    // The button disappears with the note, so the focus moves to the form.
    document.querySelector<HTMLInputElement>('input[name="email"]')?.focus();
    void navigate({ search: withoutPlan(location.search) }, { replace: true, state: {} });
  };
  return (
    <p className="mb-5 flex items-start gap-2 rounded bg-note-wash py-1 pr-1 pl-3.5 text-[0.9375rem]">
      <span className="min-w-0 flex-1 py-2 wrap-anywhere">{t("signup.plan", { plan: name })}</span>
      <IconButton label={t("signup.plan_remove")} onClick={remove}>
        <X aria-hidden="true" />
      </IconButton>
    </p>
  );
}
