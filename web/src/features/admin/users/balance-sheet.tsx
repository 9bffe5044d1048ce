/** Adds or subtracts minutes of an account for this month, with a reason for the history. */
import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { type ManagedUser, useAdjustBalance, userMinutesQuery } from "@/api/admin";
import { Button } from "@/components/button";
import { CONTROL, Field } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { INITIAL_FOCUS, Sheet } from "@/components/sheet";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { toast } from "@/lib/toast";
import { type BalanceForm, previewBalance, validateBalance } from "@/rules";
import { BALANCE_OPERATIONS, MIN_MINUTES } from "@/rules/constants";
import { BalanceEffect } from "./balance-effect";
import { MinutesPanel } from "./minutes-panel";

interface BalanceSheetProps {
  user: ManagedUser;
  onClose: () => void;
}

export function BalanceSheet({ user, onClose }: BalanceSheetProps) {
  const { t } = useTranslation("admin");
  const errorText = useErrorText();
  const violationText = useViolationText();
  const adjust = useAdjustBalance();
  const { form: element, refused } = useInvalidFocus();
  const [operation, setOperation] = useState<BalanceForm["operation"]>("add");
  const [minutes, setMinutes] = useState("");
  const [reason, setReason] = useState("");
  const [violations, setViolations] = useState<readonly BrokenRule[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const id = useId();
  const { data: month } = useQuery(userMinutesQuery(user.id));
  // Empty input is not a number, and not zero either.
  const form = { operation, minutes: minutes.trim() === "" ? Number.NaN : Number(minutes), reason };
  const preview = month && previewBalance(form, month);

  const errorOf = (field: string) => {
    const broken = violations.find((violation) => violation.field === field);
    return broken && violationText(broken);
  };
  const apply = () => {
    const localRules = validateBalance(form);
    const broken = localRules.length === 0 && preview ? preview.violations : localRules;
    setViolations(broken);
    setFailure(null);
    if (broken.length > 0) return refused();
    adjust.mutate(
      { id: user.id, form },
      {
        onSuccess: () => {
          toast.success(t("balance.updated"));
          onClose();
        },
        onError: (error) => {
          setViolations(error instanceof ApiError ? error.violations : []);
          setFailure(errorText(error));
          toast.error(t("balance.failed"));
          refused();
        },
      },
    );
  };

  return (
    <Sheet
      title={t("balance.title")}
      subject={user.email}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={adjust.isPending}>
            {t("cancel")}
          </Button>
          <Button look="primary" type="submit" form={id} busy={adjust.isPending} disabled={reason.trim() === ""}>
            {t("balance.apply")}
          </Button>
        </>
      }
    >
      <form
        id={id}
        ref={element}
        noValidate
        data-density="compact"
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        <FormAlert text={failure} />
        <MinutesPanel id={user.id} />
        <fieldset className="flex flex-wrap items-center gap-x-6 gap-y-2 text-[0.9375rem]">
          <legend className="mb-1.5 font-strong">{t("balance.operation")}</legend>
          {BALANCE_OPERATIONS.map((option) => (
            <label key={option} className="flex cursor-pointer items-center gap-2.5">
              <input
                type="radio"
                name="operation"
                checked={operation === option}
                onChange={() => setOperation(option)}
                className="size-4 shrink-0 accent-accent"
              />
              {t(`balance.${option}`)}
            </label>
          ))}
        </fieldset>
        <Field label={t("balance.minutes")} error={errorOf("minutes")}>
          {(wiring) => (
            <input
              {...wiring}
              {...INITIAL_FOCUS}
              type="number"
              inputMode="decimal"
              min={MIN_MINUTES}
              step="any"
              className={`${CONTROL} figures max-w-40`}
              value={minutes}
              onChange={(event) => setMinutes(event.currentTarget.value)}
            />
          )}
        </Field>
        {month && <BalanceEffect month={month} after={preview?.after ?? null} />}
        <Field label={t("balance.reason")} hint={t("balance.reason_hint")} error={errorOf("reason")}>
          {(wiring) => (
            <textarea
              {...wiring}
              required
              rows={2}
              className={`${CONTROL} h-auto min-h-16 resize-y py-2`}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          )}
        </Field>
      </form>
    </Sheet>
  );
}
