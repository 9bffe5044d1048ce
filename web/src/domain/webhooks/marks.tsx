/** The state of a receiver or a delivery, as an icon and a word. */
import { Ban, Check, CircleAlert, Clock, type LucideIcon, Pause } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { WebhookDelivery } from "@/api/webhook-deliveries";

function Mark({ icon: Icon, look, children }: { icon: LucideIcon; look: string; children: string }) {
  return (
    <span className={`inline-flex items-center gap-1.5 rounded-sm px-1.5 py-0.5 text-sm whitespace-nowrap ${look}`}>
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      {children}
    </span>
  );
}

const GOOD = "bg-good-wash text-good";
const BAD = "bg-bad-wash text-bad";
const NOTE = "bg-note-wash text-note";
const OFF = "bg-paper-sunk text-ink-soft";

interface ReceiverMarkProps {
  receiver: { is_active: boolean; disabled_by: string | null };
}

/** Whether a receiver is called, and whether it was the server that has turned it off. */
export function ReceiverMark({ receiver }: ReceiverMarkProps) {
  const { t } = useTranslation("webhooks");
  if (receiver.is_active) {
    return (
      <Mark icon={Check} look={GOOD}>
        {t("state.active")}
      </Mark>
    );
  }
  return receiver.disabled_by ? (
    <Mark icon={Ban} look={BAD}>
      {t("state.refused")}
    </Mark>
  ) : (
    <Mark icon={Pause} look={OFF}>
      {t("state.off")}
    </Mark>
  );
}

const DELIVERY = {
  pending: { icon: Clock, look: NOTE },
  delivered: { icon: Check, look: GOOD },
  failed: { icon: CircleAlert, look: BAD },
} as const;

/** Whether a call was accepted. */
export function DeliveryMark({ status }: { status: WebhookDelivery["status"] }) {
  const { t } = useTranslation("webhooks");
  return <Mark {...DELIVERY[status]}>{t(`log.status.${status}`)}</Mark>;
}
