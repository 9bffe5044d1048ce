/** The delivery log of a receiver, including pending deliveries. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { deliveriesQuery } from "@/api/webhook-deliveries";
import { Button } from "@/components/button";
import { NoCalls } from "@/components/drawings";
import { Sheet } from "@/components/sheet";
import { Skeleton } from "@/components/skeleton";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { DeliveryRow } from "./delivery-row";
import type { ReasonText } from "./use-reason";

interface DeliveriesSheetProps {
  /** Name of the receiver. */
  name: string;
  log: ReturnType<typeof deliveriesQuery>;
  /** Sends a delivery again. */
  resend: (id: string) => Promise<unknown>;
  reason: ReasonText;
  onClose: () => void;
}

/** The log, page by page; pending deliveries are followed. */
export function DeliveriesSheet({ name, log, resend, reason, onClose }: DeliveriesSheetProps) {
  const { t } = useTranslation("webhooks");
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(log);
  const items = data?.pages.flatMap((page) => page.items);
  return (
    <Sheet wide title={t("log.title")} subject={name} onClose={onClose} className="md:min-h-[min(30rem,calc(100dvh-14rem))]">
      {error && !data ? (
        <ErrorState title={t("log.load_failed")} error={error} onRetry={() => void refetch()} />
      ) : items?.length === 0 ? (
        <EmptyState drawing={NoCalls} title={t("log.empty")} text={t("log.empty_text")} />
      ) : (
        <>
          <p className="text-sm text-ink-soft">{t("log.about")}</p>
          <ul aria-label={t("log.title")} aria-busy={!items} className="mt-3 border-t-2 border-ink">
            {items
              ? items.map((delivery) => <DeliveryRow key={delivery.id} delivery={delivery} resend={resend} reason={reason} />)
              : ["a", "b", "c", "d"].map((key) => (
                  <li key={key} className="border-b border-rule py-3.5">
                    <Skeleton className="h-5 w-2/5" />
                    <Skeleton className="mt-2 h-4 w-3/5" />
                  </li>
                ))}
          </ul>
          {hasNextPage && (
            <Button className="mt-4" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t("log.more")}
            </Button>
          )}
        </>
      )}
    </Sheet>
  );
}
