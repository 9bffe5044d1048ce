/** The delivery log of a webhook. */
import { type UserWebhook, useResendUserDelivery, userDeliveriesQuery } from "@/api/webhooks";
import { DeliveriesSheet } from "@/domain/webhooks/deliveries-sheet";
import { useReason } from "@/domain/webhooks/use-reason";

export function WebhookLog({ webhook, onClose }: { webhook: UserWebhook; onClose: () => void }) {
  const resend = useResendUserDelivery(webhook.id);
  const reason = useReason();
  return (
    <DeliveriesSheet
      name={webhook.name}
      log={userDeliveriesQuery(webhook.id)}
      resend={resend.mutateAsync}
      reason={reason}
      onClose={onClose}
    />
  );
}
