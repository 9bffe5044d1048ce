/** Edits an account: name, plan, role, minutes with their history, and deletion. */
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, useUser } from "@/api";
import { type ManagedPlan, type ManagedUser, plansQuery, useSetPlan, useSetRole } from "@/api/admin";
import { Button } from "@/components/button";
import { CONTROL, Field, TextInput } from "@/components/field";
import { GuardedSheet } from "@/components/guarded-sheet";
import { InlineConfirm } from "@/components/inline-confirm";
import { INITIAL_FOCUS } from "@/components/sheet";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { useViolationText } from "@/hooks/use-violation-text";
import { formatNumber } from "@/lib/format";
import { toast } from "@/lib/toast";
import { AccountActions } from "./account-actions";
import { MinutesPanel } from "./minutes-panel";
import { UsageHistory } from "./usage-history";
import { useName } from "./use-name";

interface EditSheetProps {
  user: ManagedUser;
  onClose: () => void;
}

export function EditSheet({ user, onClose }: EditSheetProps) {
  const { t } = useTranslation("admin");
  const plans = useQuery(plansQuery());
  const plan = usePlanChoice(user, plans.data, onClose);
  const name = useName(user);
  const saving = plan.saving || name.saving;
  const id = useId();
  return (
    <GuardedSheet
      title={t("editor.title")}
      unsaved={(plan.unsaved && !plan.saved) || name.unsaved}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={saving}>
            {t("cancel")}
          </Button>
          <Button look="primary" type="submit" form={id} busy={saving} disabled={!plans.data}>
            {t("editor.save")}
          </Button>
        </>
      }
    >
      <div data-density="compact" className="flex flex-col gap-6">
        <form
          id={id}
          noValidate
          className="flex flex-col gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            void name.save().then((saved) => saved && plan.save());
          }}
        >
          <Field label={t("columns.email")}>
            {(wiring) => <TextInput {...wiring} type="email" readOnly value={user.email} className="bg-paper-sunk" />}
          </Field>
          <Field label={t("columns.name")} error={name.failure}>
            {(wiring) => (
              <TextInput
                {...wiring}
                autoComplete="off"
                value={name.value}
                onChange={(event) => name.choose(event.currentTarget.value)}
              />
            )}
          </Field>
          <Field label={t("columns.plan")} error={plan.failure}>
            {(wiring) => (
              <select
                {...wiring}
                {...INITIAL_FOCUS}
                className={CONTROL}
                disabled={!plans.data}
                value={plan.value}
                onChange={(event) => plan.choose(event.currentTarget.value)}
              >
                <option value="">{t(plans.data ? "no_plan" : "loading")}</option>
                {plan.options.map(({ id: value, label }) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </form>
        <Section title={t("minutes.title")}>
          <MinutesPanel id={user.id} />
        </Section>
        <Section title={t("columns.role")}>
          <RoleChoice user={user} />
        </Section>
        <Section title={t("account.title")}>
          <AccountActions user={user} onDeleted={onClose} />
        </Section>
        <Section title={t("history.title")}>
          <UsageHistory id={user.id} />
        </Section>
      </div>
    </GuardedSheet>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="border-t border-rule pt-4">
      <h3 id={id} className="mb-2.5 font-strong">
        {title}
      </h3>
      {children}
    </section>
  );
}

/** The selectable plans: those on offer, and the account's own. */
function usePlanChoice(user: ManagedUser, plans: readonly ManagedPlan[] | undefined, onSaved: () => void) {
  const { t } = useTranslation("admin");
  const locale = useLocale();
  const errorText = useErrorText();
  const violationText = useViolationText();
  const setPlan = useSetPlan();
  const present = plans?.find(({ subscription_id }) => subscription_id === user.subscription_id)?.id ?? "";
  const [chosen, setChosen] = useState<string | null>(null);
  const [failure, setFailure] = useState<string>();
  const value = chosen ?? present;
  return {
    value,
    choose: (next: string) => {
      setChosen(next);
      setFailure(undefined);
    },
    options: (plans ?? [])
      .filter((plan) => plan.is_active || plan.id === present)
      .map(({ id, name, price, currency }) => ({ id, label: `${name} - ${formatNumber(price, locale, 2)} ${currency}` })),
    unsaved: value !== present,
    failure,
    saving: setPlan.isPending,
    saved: setPlan.isSuccess,
    save: () => {
      if (value === present) return onSaved();
      setPlan.mutate(
        { id: user.id, plan_id: value || null },
        {
          onSuccess: () => {
            toast.success(t("plan_updated"));
            onSaved();
          },
          onError: (error) => {
            const [broken] = error instanceof ApiError ? error.violations : [];
            const text = t("plan_failed", { message: broken ? violationText(broken) : errorText(error) });
            setFailure(text);
            toast.error(text);
          },
        },
      );
    },
  };
}

/** Full access is granted and revoked at once, after a confirmation. Administrators cannot revoke their own. */
function RoleChoice({ user }: { user: ManagedUser }) {
  const { t } = useTranslation("admin");
  const self = useUser()?.id === user.id;
  const errorText = useErrorText();
  const setRole = useSetRole();
  const admin = user.role === "admin";
  const label = t(admin ? "remove_admin" : "make_admin");
  const change = async () => {
    try {
      await setRole.mutateAsync({ id: user.id, role: admin ? "user" : "admin" });
      toast.success(t("role_changed"));
    } catch (error) {
      toast.error(`${t("role_failed")}. ${errorText(error)}`);
    }
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <span>{t(`role.${user.role}`)}</span>
      {self ? (
        <span className="text-sm text-ink-faint">{t("own")}</span>
      ) : (
        <InlineConfirm
          label={label}
          description={t("named", { action: label, email: user.email })}
          question={t(admin ? "remove_admin_question" : "make_admin_question")}
          confirm={t(admin ? "remove_yes" : "make_yes")}
          onConfirm={change}
        />
      )}
    </div>
  );
}
