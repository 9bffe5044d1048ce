/** Plan requests: open ones first, decided ones below. */

import type { UseQueryResult } from "@tanstack/react-query";
import { useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ManagedPlanRequest } from "@/api/managed-plans";
import { NoMessages } from "@/components/drawings";
import { Skeleton } from "@/components/skeleton";
import { EmptyNote, ErrorState } from "@/components/state-panel";
import { DecidedRequest } from "./decided-request";
import { OpenRequest } from "./open-request";

interface RequestsProps {
  id: string;
  requests: UseQueryResult<ManagedPlanRequest[]>;
}

export function Requests({ id, requests: { data, error, refetch } }: RequestsProps) {
  const { t } = useTranslation("admin-plans");
  const title = useRef<HTMLHeadingElement>(null);
  const heading = useId();
  const decidedHeading = useId();
  const open = data?.filter(({ status }) => status === "open");
  const decided = data?.filter(({ status }) => status !== "open");
  return (
    <section id={id} aria-labelledby={heading} className="flex scroll-mt-[calc(var(--header-height)+1rem)] flex-col gap-4 pt-2">
      <h2 id={heading} ref={title} tabIndex={-1} className="headline border-b-2 border-ink pb-1.5 text-lg outline-none">
        {t("requests.title")}
      </h2>
      {error && !data ? (
        <ErrorState title={t("requests.load_failed")} error={error} onRetry={() => void refetch()} />
      ) : !open || !decided ? (
        <Skeleton className="h-24 w-full" />
      ) : (
        <>
          {open.length === 0 ? (
            <EmptyNote drawing={NoMessages}>
              <p>{t("requests.nothing")}</p>
            </EmptyNote>
          ) : (
            <ul className="flex flex-col gap-3">
              {open.map((request) => (
                <OpenRequest key={request.id} request={request} onDecided={() => title.current?.focus({ preventScroll: true })} />
              ))}
            </ul>
          )}
          {decided.length > 0 && (
            <>
              <h3 id={decidedHeading} className="kicker mt-2">
                {t("requests.decided")}
              </h3>
              <ul aria-labelledby={decidedHeading} className="border-t border-rule">
                {decided.map((request) => (
                  <DecidedRequest key={request.id} request={request} />
                ))}
              </ul>
            </>
          )}
        </>
      )}
    </section>
  );
}
