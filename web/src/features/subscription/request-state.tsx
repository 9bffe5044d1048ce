/** The state of the request for another plan. */
import { CircleCheck, CircleX, Hourglass } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { type PlanRequest, useWithdrawRequest } from "@/api/subscription";
import { Button } from "@/components/button";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatDateTime } from "@/lib/format";
import { toast } from "@/lib/toast";

const LOOKS = {
  open: { icon: Hourglass, look: "bg-note-wash", sign: "text-note" },
  approved: { icon: CircleCheck, look: "bg-good-wash", sign: "text-good" },
  declined: { icon: CircleX, look: "bg-warn-wash", sign: "text-warn" },
} as const;

interface RequestStateProps {
  request: PlanRequest;
  /** The id of the plan on trial: requesting it means keeping it. */
  trial?: string | undefined;
}

export function RequestState({ request, trial }: RequestStateProps) {
  const { t } = useTranslation("subscription");
  const locale = useLocale();
  const id = useId();
  // Withdrawn requests are not shown.
  if (request.status === "withdrawn") return null;
  const { icon: Icon, look, sign } = LOOKS[request.status];
  const keeps = request.status === "open" && request.plan_id === trial;
  const decided = request.decided_at ?? request.created_at;
  return (
    <section aria-labelledby={id} className={cx("flex flex-wrap items-start gap-x-4 gap-y-3 rounded-lg px-5 py-4", look)}>
      <Icon aria-hidden="true" className={cx("mt-1 size-5 shrink-0", sign)} />
      <div className="min-w-0 flex-1 basis-64">
        <h2 id={id} className="font-strong wrap-anywhere">
          {t(keeps ? "request.open_keep" : `request.${request.status}`, { plan: request.plan_name })}
        </h2>
        <p className="text-sm text-ink-soft">
          {t(request.status === "open" ? "request.sent" : "request.decided", { when: formatDateTime(decided, locale) })}
        </p>
        {request.message && <Message who={t("request.message")} text={request.message} />}
        {request.answer && <Message who={t("request.answer")} text={request.answer} />}
      </div>
      {request.status === "open" && <Withdraw />}
    </section>
  );
}

function Message({ who, text }: { who: string; text: string }) {
  return (
    <p className="mt-2 max-w-[70ch] text-[0.9375rem] whitespace-pre-line wrap-anywhere">
      <span className="text-ink-soft">{who}: </span>
      {text}
    </p>
  );
}

function Withdraw() {
  const { t } = useTranslation("subscription");
  const errorText = useErrorText();
  const withdraw = useWithdrawRequest();
  // The button may unmount before the response arrives; a mutation's own callbacks would not be called then.
  const take = async () => {
    try {
      await withdraw.mutateAsync(undefined);
      toast.success(t("request.withdrawn"));
    } catch (error) {
      toast.error(`${t("request.withdraw_failed")}. ${errorText(error)}`);
    }
  };
  return (
    <Button busy={withdraw.isPending} onClick={() => void take()}>
      {t("request.withdraw")}
    </Button>
  );
}
