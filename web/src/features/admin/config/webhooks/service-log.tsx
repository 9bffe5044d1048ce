/** The delivery log of a service. */
import { useResendDelivery, type WebhookService, webhookDeliveriesQuery } from "@/api/admin-webhooks";
import { DeliveriesSheet } from "@/domain/webhooks/deliveries-sheet";
import { useServiceReason } from "./use-reason";

export function ServiceLog({ service, onClose }: { service: WebhookService; onClose: () => void }) {
  const resend = useResendDelivery(service.id);
  const reason = useServiceReason();
  return (
    <DeliveriesSheet
      name={service.name}
      log={webhookDeliveriesQuery(service.id)}
      resend={resend.mutateAsync}
      reason={reason}
      onClose={onClose}
    />
  );
}
