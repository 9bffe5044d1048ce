/** The state of a receiver or a delivery, as an icon and a word. */
import { Ban, Check, CircleAlert, Clock, type LucideIcon, Pause } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { WebhookDelivery } from "@/api/webhook-deliveries";

/** An icon and a word. */
export function Mark({ icon: Icon, look, children }: { icon: LucideIcon; look: string; children: string }) {
  return (
    <span className={`inline-flex items-center gap-1.5 rounded-sm px-1.5 py-0.5 text-sm whitespace-nowrap ${look}`}>
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      {children}
    </span>
  );
}

export const MARK_LOOKS = {
  good: "bg-good-wash text-good",
  bad: "bg-bad-wash text-bad",
  note: "bg-note-wash text-note",
  off: "bg-paper-sunk text-ink-soft",
} as const;

interface ReceiverMarkProps {
  receiver: { is_active: boolean; disabled_by: string | null };
}

/** Whether a receiver is called, and whether it was the server that has turned it off. */
export function ReceiverMark({ receiver }: ReceiverMarkProps) {
  const { t } = useTranslation("webhooks");
  if (receiver.is_active) {
    return (
      <Mark icon={Check} look={MARK_LOOKS.good}>
        {t("state.active")}
      </Mark>
    );
  }
  return receiver.disabled_by ? (
    <Mark icon={Ban} look={MARK_LOOKS.bad}>
      {t("state.refused")}
    </Mark>
  ) : (
    <Mark icon={Pause} look={MARK_LOOKS.off}>
      {t("state.off")}
    </Mark>
  );
}

const DELIVERY = {
  pending: { icon: Clock, look: MARK_LOOKS.note },
  delivered: { icon: Check, look: MARK_LOOKS.good },
  failed: { icon: CircleAlert, look: MARK_LOOKS.bad },
} as const;

/** Whether a call was accepted. */
export function DeliveryMark({ status }: { status: WebhookDelivery["status"] }) {
  const { t } = useTranslation("webhooks");
  return <Mark {...DELIVERY[status]}>{t(`log.status.${status}`)}</Mark>;
}
