/** Offers the tour of the sample above a list, until it is completed or dismissed. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Job } from "@/api";
import { endTour, tourQuery } from "@/api/tour";
import { Button, LinkButton } from "./button";

export function SampleOffer({ jobs }: { jobs: readonly Job[] | undefined }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const sample = jobs?.find((job) => job.is_sample);
  const { data } = useQuery({ ...tourQuery(), enabled: sample !== undefined });
  if (!sample || !data?.is_offered) return null;
  const skip = () => {
    // The offer disappears with its button, so the focus moves to the page.
    document.querySelector<HTMLElement>("main")?.focus();
    void endTour(queryClient).catch(() => undefined);
  };
  return (
    <section
      aria-label={t("sample.offer.label")}
      className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-lg border border-rule-strong bg-paper-sunk px-4 py-2.5"
    >
      <p className="min-w-60 flex-1 text-pretty">{t("sample.offer.text")}</p>
      <div className="flex flex-wrap gap-2">
        <LinkButton size="small" look="primary" to={`/transcription/${sample.my_job_id}`}>
          {t("sample.offer.start")}
        </LinkButton>
        <Button size="small" look="quiet" onClick={skip}>
          {t("sample.offer.skip")}
        </Button>
      </div>
    </section>
  );
}
