/** The state of a service or a delivery, as an icon and a word. */
import { Ban, Check, CircleAlert, Clock, type LucideIcon, Pause } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { WebhookDelivery, WebhookService } from "@/api/admin-webhooks";

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

export function ServiceMark({ service }: { service: WebhookService }) {
  const { t } = useTranslation("admin-webhooks");
  if (service.is_active) {
    return (
      <Mark icon={Check} look={GOOD}>
        {t("state.active")}
      </Mark>
    );
  }
  return service.disabled_by ? (
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

export function DeliveryMark({ status }: { status: WebhookDelivery["status"] }) {
  const { t } = useTranslation("admin-webhooks");
  return <Mark {...DELIVERY[status]}>{t(`log.status.${status}`)}</Mark>;
}
