/** A plan request that needs a decision. */
import { ArrowRight } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { type ManagedPlanRequest, useDecide } from "@/api/managed-plans";
import { Button } from "@/components/button";
import { CONTROL, Field } from "@/components/field";
import { useLocale } from "@/hooks/use-locale";
import { formatDateTime } from "@/lib/format";
import { toast } from "@/lib/toast";
import { useFailureText } from "./use-failure-text";

interface OpenRequestProps {
  request: ManagedPlanRequest;
  /** The card moves to the decided requests, and the focus must move, too. */
  onDecided: () => void;
}

export function OpenRequest({ request, onDecided }: OpenRequestProps) {
  const { t } = useTranslation("admin-plans");
  const locale = useLocale();
  const failureText = useFailureText("decide_failed");
  const decide = useDecide();
  const [answer, setAnswer] = useState("");
  const who = useId();
  const busyWith = decide.isPending ? decide.variables.decision.approve : null;
  // The card may unmount before the response arrives; a mutation's own callbacks would not be called then.
  const send = async (approve: boolean) => {
    try {
      await decide.mutateAsync({ id: request.id, decision: { approve, answer } });
      toast.success(t(approve ? "requests.approved" : "requests.declined"));
      onDecided();
    } catch (error) {
      toast.error(failureText(error));
    }
  };
  return (
    <li className="grid gap-x-8 gap-y-3 rounded-lg border border-rule-strong bg-paper-raised p-4 lg:grid-cols-2">
      <div className="min-w-0">
        <h3 id={who} className="font-strong wrap-anywhere">
          {request.fullname ?? request.email}
        </h3>
        <p className="text-sm text-ink-faint wrap-anywhere">
          {request.fullname && `${request.email} · `}
          <time dateTime={request.created_at}>{formatDateTime(request.created_at, locale)}</time>
        </p>
        <p className="mt-2 flex flex-wrap items-center gap-x-2">
          {request.keeps ? (
            <>
              <span className="font-strong wrap-anywhere">{request.plan_name}</span>
              <span className="text-ink-soft">{t("requests.keeps")}</span>
            </>
          ) : (
            <>
              <span className="text-ink-soft wrap-anywhere">{request.present_plan ?? t("requests.no_plan")}</span>
              <ArrowRight aria-label={t("requests.to")} className="size-4 shrink-0 text-ink-faint" />
              <span className="font-strong wrap-anywhere">{request.plan_name}</span>
            </>
          )}
        </p>
        {request.message && <p className="mt-2 text-sm whitespace-pre-line wrap-anywhere">{request.message}</p>}
      </div>
      <div className="flex flex-col gap-3">
        <Field label={t("requests.answer")}>
          {(wiring) => (
            <textarea
              {...wiring}
              rows={2}
              className={`${CONTROL} h-auto resize-y py-2`}
              placeholder={t("requests.answer_placeholder")}
              value={answer}
              onChange={(event) => setAnswer(event.currentTarget.value)}
            />
          )}
        </Field>
        <div className="flex flex-wrap gap-2">
          <Button size="small" look="primary" aria-describedby={who} busy={busyWith === true} onClick={() => void send(true)}>
            {t("requests.approve")}
          </Button>
          <Button size="small" aria-describedby={who} busy={busyWith === false} onClick={() => void send(false)}>
            {t("requests.decline")}
          </Button>
        </div>
      </div>
    </li>
  );
}
