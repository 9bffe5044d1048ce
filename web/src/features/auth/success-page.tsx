/** The sign-up is complete: links to the app and to a first text. */
import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { recentJobsQuery } from "@/api/jobs";
import { LinkButton } from "@/components/button";
import { VoiceToText } from "@/components/voice-to-text";
import { usePageTitle } from "@/hooks/use-page-title";
import { titleOf } from "@/lib/job-title";
import { RECENT_JOBS } from "@/rules/constants";
import { AuthLayout } from "./auth-layout";

export function SuccessPage() {
  const { t } = useTranslation("auth");
  usePageTitle(t("success.title"));
  return (
    <AuthLayout title={t("success.title")} lead={t("success.lead")}>
      <LinkButton to="/dashboard" look="primary" className="w-full">
        {t("success.start")}
      </LinkButton>
      <FirstText />
    </AuthLayout>
  );
}

/** Links to questions about the newest text, else to the newest job, else to creating one. */
function FirstText() {
  const { t } = useTranslation("auth");
  const { data } = useQuery(recentJobsQuery(RECENT_JOBS));
  const text = data?.items.find((job) => job.status === "completed");
  const newest = text ?? data?.items[0];
  const which = text ? "newest" : newest ? "started" : "first";
  return (
    <Link
      to={newest ? `/transcription/${newest.my_job_id}${text ? "?assistant=open" : ""}` : "/upload"}
      className="mt-5 flex flex-col gap-2 rounded-lg border border-rule-strong bg-paper-raised p-5 transition-colors hover:border-edge"
    >
      <VoiceToText className="mb-2 w-full max-w-64" />
      <span className="headline text-xl">{t(`success.${which}.title`)}</span>
      <span className="text-[0.9375rem] break-words text-pretty text-ink-soft">
        {t(`success.${which}.text`, { name: newest && titleOf(newest) })}
      </span>
      <span className="mt-1 inline-flex items-center gap-1.5 text-[0.9375rem] text-accent">
        {t(`success.${which}.action`)}
        <ArrowRight aria-hidden="true" className="size-4" />
      </span>
    </Link>
  );
}
