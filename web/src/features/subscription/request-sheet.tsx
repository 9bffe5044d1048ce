/** Requests another plan, with a message to the administrator. */
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { type Plan, useRequestPlan } from "@/api/subscription";
import { Button } from "@/components/button";
import { CONTROL, Field } from "@/components/field";
import { FormAlert } from "@/components/form-alert";
import { GuardedSheet } from "@/components/guarded-sheet";
import { INITIAL_FOCUS } from "@/components/sheet";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { useLocale } from "@/hooks/use-locale";
import { useViolationText } from "@/hooks/use-violation-text";
import { cx } from "@/lib/class-names";
import { formatNumber, formatPrice } from "@/lib/format";
import { toast } from "@/lib/toast";
import { MAX_REQUEST_MESSAGE } from "@/rules/constants";

interface RequestSheetProps {
  /** The plan whose button was pressed. */
  plan: Plan;
  /** The selectable plans. */
  plans: readonly Plan[];
  /** The id of the plan on trial: requesting it means keeping it. */
  trial?: string | undefined;
  onClose: () => void;
}

export function RequestSheet({ plan, plans, trial, onClose }: RequestSheetProps) {
  const { t } = useTranslation("subscription");
  const locale = useLocale();
  const id = useId();
  const [planId, setPlanId] = useState(plan.id);
  const [message, setMessage] = useState("");
  const request = useRequestPlan();
  const { form, refused } = useInvalidFocus();
  const { wrong, failure } = useRefusal(request.error);
  const keeps = planId === trial;
  const priceOf = ({ price, currency }: Plan) =>
    price > 0 ? t("price", { price: formatPrice(price, currency, locale) }) : t("free");
  // Counted like on the server: a character outside of the BMP is one.
  const length = [...message].length;

  const send = () =>
    request.mutate(
      { plan_id: planId, message },
      {
        onSuccess: () => {
          toast.success(t("request.done"));
          onClose();
        },
        onError: refused,
      },
    );

  return (
    <GuardedSheet
      title={t(keeps ? "request.title_keep" : "request.title")}
      unsaved={message.trim() !== "" && !request.isSuccess}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} disabled={request.isPending}>
            {t("request.cancel")}
          </Button>
          <Button look="primary" type="submit" form={id} busy={request.isPending}>
            {t("request.send")}
          </Button>
        </>
      }
    >
      <form
        id={id}
        ref={form}
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <FormAlert text={failure} />
        <p className="text-[0.9375rem] text-ink-soft">{t(keeps ? "request.text_keep" : "request.text")}</p>
        <Field label={t("request.plan")}>
          {(wiring) => (
            <select
              {...wiring}
              {...INITIAL_FOCUS}
              className={CONTROL}
              value={planId}
              onChange={(event) => setPlanId(event.target.value)}
            >
              {plans.map((choice) => (
                <option key={choice.id} value={choice.id}>
                  {`${choice.name} — ${priceOf(choice)}`}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field
          label={t("request.message_label")}
          error={wrong}
          hint={
            <span className="flex justify-between gap-3">
              {t("request.message_hint")}
              <span className={cx("figures shrink-0", length > MAX_REQUEST_MESSAGE && "font-strong text-bad")}>
                {`${formatNumber(length, locale)} / ${formatNumber(MAX_REQUEST_MESSAGE, locale)}`}
              </span>
            </span>
          }
        >
          {(wiring) => (
            <textarea
              {...wiring}
              rows={4}
              className={`${CONTROL} h-auto resize-y py-2`}
              value={message}
              onChange={(event) => setMessage(event.target.value)}
            />
          )}
        </Field>
      </form>
    </GuardedSheet>
  );
}

/** The server's violation of the message, and its error for the whole form. */
function useRefusal(error: unknown): { wrong: string | undefined; failure: string | null } {
  const errorText = useErrorText();
  const violationText = useViolationText();
  if (error === null) return { wrong: undefined, failure: null };
  const violation = error instanceof ApiError ? error.violations.find(({ field }) => field === "message") : undefined;
  return violation ? { wrong: violationText(violation), failure: null } : { wrong: undefined, failure: errorText(error) };
}
