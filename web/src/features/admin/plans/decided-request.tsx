/** A plan request that was approved or declined. */
import { CircleCheck, CircleX, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ManagedPlanRequest } from "@/api/managed-plans";
import { useLocale } from "@/hooks/use-locale";
import { formatDateTime } from "@/lib/format";

const SIGNS = {
  approved: { icon: CircleCheck, look: "text-good" },
  declined: { icon: CircleX, look: "text-bad" },
  withdrawn: { icon: Undo2, look: "text-ink-soft" },
} as const;

export function DecidedRequest({ request }: { request: ManagedPlanRequest }) {
  const { t } = useTranslation("admin-plans");
  const locale = useLocale();
  if (request.status === "open") return null;
  const { icon: Icon, look } = SIGNS[request.status];
  const when = request.decided_at ?? request.created_at;
  return (
    <li className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-rule py-2.5 text-sm">
      <span className={`inline-flex items-center gap-1.5 whitespace-nowrap ${look}`}>
        <Icon aria-hidden="true" className="size-4 shrink-0 self-center" />
        {t(`requests.status.${request.status}`)}
      </span>
      <span className="wrap-anywhere">{request.fullname ?? request.email}</span>
      <span className="font-strong wrap-anywhere">{request.plan_name}</span>
      <time dateTime={when} className="ml-auto whitespace-nowrap text-ink-faint">
        {formatDateTime(when, locale)}
      </time>
      {(request.message || request.answer) && (
        <span className="flex basis-full flex-col gap-0.5 text-ink-soft">
          {request.message && (
            <span className="whitespace-pre-line wrap-anywhere">{`${t("requests.asked")}: ${request.message}`}</span>
          )}
          {request.answer && (
            <span className="whitespace-pre-line wrap-anywhere">{`${t("requests.answered")}: ${request.answer}`}</span>
          )}
        </span>
      )}
    </li>
  );
}
