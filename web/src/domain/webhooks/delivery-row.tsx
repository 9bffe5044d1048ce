/** A delivery: its state, and what was sent and received. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { WebhookDelivery } from "@/api/webhook-deliveries";
import { Button } from "@/components/button";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { formatDateTime, formatFullDateTime, formatNumber } from "@/lib/format";
import { toast } from "@/lib/toast";
import { DeliveryMark } from "./marks";
import type { ReasonText } from "./use-reason";

interface DeliveryRowProps {
  delivery: WebhookDelivery;
  resend: (id: string) => Promise<unknown>;
  reason: ReasonText;
}

/** Its payload is shown on demand. */
export function DeliveryRow({ delivery, resend, reason }: DeliveryRowProps) {
  const { t } = useTranslation("webhooks");
  const locale = useLocale();
  const why = reason(delivery.last_error, delivery.last_status);
  const [open, setOpen] = useState(false);
  const at = formatDateTime(delivery.created_at, locale);
  const payload = JSON.stringify(delivery.payload, null, 2);
  const facts = [
    t("log.attempts", { count: delivery.attempts }),
    delivery.last_status !== null && t("log.answer", { status: delivery.last_status }),
    delivery.latency_ms !== null && t("log.latency", { ms: formatNumber(delivery.latency_ms, locale) }),
    delivery.next_attempt_at !== null && t("log.next", { at: formatDateTime(delivery.next_attempt_at, locale) }),
  ].filter((fact) => fact !== false);
  return (
    <li className="border-b border-rule py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <DeliveryMark status={delivery.status} />
        <span className="figures text-sm font-strong">{delivery.event_type}</span>
        <time
          dateTime={delivery.created_at}
          title={formatFullDateTime(delivery.created_at, locale)}
          className="text-sm text-ink-soft"
        >
          {at}
        </time>
        <span className="flex flex-1 flex-wrap items-center justify-end gap-2">
          <Button
            size="small"
            look="quiet"
            aria-expanded={open}
            aria-label={t("log.named", { action: t(open ? "log.hide" : "log.show"), event: delivery.event_type, at })}
            onClick={() => setOpen(!open)}
          >
            {t(open ? "log.hide" : "log.show")}
          </Button>
          {delivery.event_type !== "test" && <Resend delivery={delivery} resend={resend} at={at} />}
        </span>
      </div>
      <p className="mt-1 text-sm text-ink-faint">{facts.join(" · ")}</p>
      {why && <p className="mt-1 text-sm text-bad">{why}</p>}
      {open && (
        <div className="mt-2.5">
          <p className="text-sm text-ink-faint">
            webhook-id <span className="figures text-ink-soft break-all">{delivery.event_id}</span>
          </p>
          <textarea
            readOnly
            rows={Math.min(16, payload.split("\n").length)}
            aria-label={t("log.payload")}
            className="figures mt-1.5 w-full resize-y rounded border border-edge bg-paper p-3 text-sm"
            value={payload}
          />
        </div>
      )}
    </li>
  );
}

interface ResendProps extends Pick<DeliveryRowProps, "delivery" | "resend"> {
  at: string;
}

function Resend({ delivery, resend, at }: ResendProps) {
  const { t } = useTranslation("webhooks");
  const errorText = useErrorText();
  // Not that of the request, which is the same for all rows.
  const [busy, setBusy] = useState(false);
  const sendAgain = async () => {
    setBusy(true);
    try {
      await resend(delivery.id);
      toast.success(t("log.resent"));
    } catch (error) {
      toast.error(`${t("log.resend_failed")}. ${errorText(error)}`);
    }
    setBusy(false);
  };
  return (
    <Button
      size="small"
      busy={busy}
      aria-label={t("log.named", { action: t("log.resend"), event: delivery.event_type, at })}
      onClick={() => void sendAgain()}
    >
      {t("log.resend")}
    </Button>
  );
}
