/** What was asked for and what was found: the settings summary beside the text. */
import { ChevronDown, FileDown } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Job, Transcript } from "@/api";
import { Button } from "@/components/button";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { useMediaQuery } from "@/hooks/use-media-query";
import { formatBytes, formatClock, formatDateTime, formatNumber } from "@/lib/format";
import { toast } from "@/lib/toast";
import { fetchMediaLink } from "./api";
import { saveFile } from "@/lib/save-file";

interface JobCardProps {
  job: Job;
  transcript: Transcript | undefined;
}

export function JobCard({ job, transcript }: JobCardProps) {
  const { t } = useTranslation(["transcript", "languages"]);
  const locale = useLocale();
  const errorText = useErrorText();
  const narrow = useMediaQuery("(width < 1024px)");
  const language = transcript?.language ?? job.language;
  const asked = job.settings.language_code;
  const duration = transcript?.duration ?? job.duration;
  const words = transcript?.segments.reduce((sum, segment) => sum + segment.words.length, 0) ?? 0;

  const downloadOriginal = async () => {
    try {
      const { url } = await fetchMediaLink(job.my_job_id);
      saveFile(url, job.original_filename);
    } catch (error) {
      toast.error(`${t("downloads.failed")}. ${errorText(error)}`);
    }
  };

  const languageName = (code: string) => t(`languages:${code}` as "languages:uk", { defaultValue: code });
  const languageText = () => {
    if (language) {
      return asked === "auto" ? t("card.languageFound", { language: languageName(language) }) : languageName(language);
    }
    return asked && asked !== "auto" ? languageName(asked) : t("card.languageUnknown");
  };

  const facts = (
    <>
      <dl className="mt-3 grid grid-cols-2 gap-x-4 gap-y-3 text-[0.9375rem] lg:grid-cols-1 lg:gap-y-2.5">
        <Fact name={t("card.language")}>{languageText()}</Fact>
        <Fact name={t("card.mode")}>{t(`card.${job.transcription_type}`)}</Fact>
        {duration != null && <Fact name={t("card.duration")}>{<span className="figures">{formatClock(duration)}</span>}</Fact>}
        {words > 0 && <Fact name={t("card.words")}>{<span className="figures">{formatNumber(words, locale)}</span>}</Fact>}
        {(transcript?.model ?? job.model) && (
          <Fact name={t("card.model")}>{<span className="figures text-sm">{transcript?.model ?? job.model}</span>}</Fact>
        )}
        <Fact name={t("card.size")}>{formatBytes(job.file_size, locale)}</Fact>
        <Fact name={t("card.created")}>{formatDateTime(job.created_at, locale)}</Fact>
        {job.settings.custom_vocabulary && <Fact name={t("card.vocabulary")}>{job.settings.custom_vocabulary}</Fact>}
      </dl>
      <Button size="small" className="mt-4 w-full" onClick={() => void downloadOriginal()}>
        <FileDown aria-hidden="true" />
        {t("card.original")}
      </Button>
    </>
  );

  // On a narrow page the text comes first; the facts are one tap away.
  return narrow ? (
    <details className="group rounded-lg border border-rule bg-paper-raised px-4 py-2.5 open:pb-4">
      <summary className="kicker flex list-none items-center justify-between gap-2 py-1 [&::-webkit-details-marker]:hidden">
        {t("card.label")}
        <ChevronDown aria-hidden="true" className="size-4 transition-transform group-open:rotate-180" />
      </summary>
      {facts}
    </details>
  ) : (
    <section aria-label={t("card.label")} className="rounded-lg border border-rule bg-paper-raised p-4">
      <h3 className="kicker">{t("card.label")}</h3>
      {facts}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col lg:flex-row lg:justify-between lg:gap-4">
      <dt className="shrink-0 text-ink-faint">{name}</dt>
      <dd className="min-w-0 break-words lg:text-right">{children}</dd>
    </div>
  );
}
