/** Shared links of this transcript: a form for a new one, and the existing ones. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Job } from "@/api";
import { capabilitiesQuery } from "@/api/capabilities";
import { NoLinks } from "@/components/drawings";
import { Sheet } from "@/components/sheet";
import { Skeleton } from "@/components/skeleton";
import { EmptyNote, ErrorState } from "@/components/state-panel";
import { titleOf } from "@/lib/job-title";
import { sharesQuery } from "./api";
import { NewShareForm } from "./new-share-form";
import { ShareComments } from "./share-comments";
import { ShareRow } from "./share-row";

interface ShareDialogProps {
  job: Job;
  onClose: () => void;
}

export function ShareDialog({ job, onClose }: ShareDialogProps) {
  const { t } = useTranslation("sharing");
  const { data } = useQuery(capabilitiesQuery());
  const shares = useQuery(sharesQuery(job.my_job_id));
  /** The last created link is highlighted. */
  const [fresh, setFresh] = useState<string | null>(null);
  return (
    <Sheet title={t("share.title")} subject={titleOf(job)} onClose={onClose} className="flex flex-col gap-6">
      {data?.sharing === false ? (
        <p className="rounded bg-warn-wash px-3.5 py-3 text-[0.9375rem] text-warn">{t("share.off")}</p>
      ) : (
        <NewShareForm jobId={job.my_job_id} onCreated={setFresh} />
      )}
      <section aria-labelledby="share-links" className="flex flex-col gap-2">
        <h3 id="share-links" className="kicker">
          {t("share.links")}
        </h3>
        {shares.data ? (
          shares.data.length === 0 ? (
            <EmptyNote drawing={NoLinks}>
              <p>{t("share.none")}</p>
            </EmptyNote>
          ) : (
            <ul className="flex flex-col divide-y divide-rule">
              {shares.data.map((share) => (
                <ShareRow key={share.id} jobId={job.my_job_id} share={share} fresh={share.id === fresh} />
              ))}
            </ul>
          )
        ) : shares.error ? (
          <ErrorState title={t("share.loadFailed")} error={shares.error} onRetry={() => void shares.refetch()} className="py-6" />
        ) : (
          <div role="status" aria-label={t("share.loading")} className="flex flex-col gap-3">
            <Skeleton className="h-12 w-full" />
            <Skeleton className="h-12 w-full" />
          </div>
        )}
      </section>
      <ShareComments jobId={job.my_job_id} />
    </Sheet>
  );
}
