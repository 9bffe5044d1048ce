/** Details of the job and a summary of its settings, beside the text. */
import { ChevronDown, FileDown } from "lucide-react";
import { memo, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { EditedSegment, Job, OpenedTranscript } from "@/api";
import { fetchMediaLink } from "@/api/media-link";
import { Button } from "@/components/button";
import { MadeFileButton } from "@/domain/export/made-file-button";
import { useAllSettings } from "@/domain/settings/settings-words";
import { languagesByTime } from "@/domain/transcript/languages";
import { useErrorText } from "@/hooks/use-error-text";
import { useLanguageName } from "@/hooks/use-language-name";
import { useLocale } from "@/hooks/use-locale";
import { useMediaQuery } from "@/hooks/use-media-query";
import { formatBytes, formatClock, formatDateTime, formatNumber } from "@/lib/format";
import { fileStemOf } from "@/lib/job-title";
import { saveFile } from "@/lib/save-file";
import { toast } from "@/lib/toast";

export interface FoundText extends Pick<OpenedTranscript, "language" | "duration" | "model"> {
  segments: readonly Pick<EditedSegment, "words" | "language" | "start" | "end">[];
}

interface JobCardProps {
  job: Job;
  transcript: FoundText | undefined;
  /** Expanded, also on a narrow page. */
  whole?: boolean;
}

export const JobCard = memo(function JobCard({ job, transcript, whole = false }: JobCardProps) {
  const { t } = useTranslation("transcript");
  const narrow = useMediaQuery("(width < 1024px)");
  const facts = (
    <>
      <DetectedFacts job={job} transcript={transcript} />
      <RequestedFacts job={job} />
      <JobFiles job={job} />
      <OriginalButton job={job} />
    </>
  );

  // On a narrow page the text comes first; the details are collapsed.
  return narrow && !whole ? (
    <details className="group rounded-lg border border-rule bg-paper-raised px-4 py-2.5 open:pb-4">
      <summary className="kicker flex list-none items-center justify-between gap-2 py-1 [&::-webkit-details-marker]:hidden">
        {t("card.label")}
        <ChevronDown aria-hidden="true" className="size-4 shrink-0 transition-transform group-open:rotate-180" />
      </summary>
      {facts}
    </details>
  ) : (
    <section aria-label={t("card.label")} className="rounded-lg border border-rule bg-paper-raised p-4">
      <h3 className="kicker">{t("card.label")}</h3>
      {facts}
    </section>
  );
});

const FACTS = "mt-3 grid grid-cols-2 gap-x-4 gap-y-3 text-[0.9375rem] lg:grid-cols-1 lg:gap-y-2.5";

function DetectedFacts({ job, transcript }: JobCardProps) {
  const { t } = useTranslation("transcript");
  const languageName = useLanguageName();
  const locale = useLocale();
  const language = transcript?.language ?? job.language;
  const requestedLanguage = job.settings.language_code;
  const duration = transcript?.duration ?? job.duration;
  const words = transcript?.segments.reduce((sum, segment) => sum + segment.words.length, 0) ?? 0;
  const model = transcript?.model || job.model;

  const languages = transcript ? languagesByTime(transcript.segments, transcript.language) : [];
  const languageText = () => {
    if (languages.length > 1) {
      return languages.map(languageName).join(", ");
    }
    if (language) {
      return requestedLanguage === "auto"
        ? t("card.languageFound", { language: languageName(language) })
        : languageName(language);
    }
    return requestedLanguage && requestedLanguage !== "auto" ? languageName(requestedLanguage) : t("card.languageUnknown");
  };

  return (
    <dl className={FACTS}>
      <Fact name={t("card.file")}>{job.original_filename}</Fact>
      <Fact name={t("card.language")}>{languageText()}</Fact>
      <Fact name={t("card.mode")}>{t(`card.${job.transcription_type}`)}</Fact>
      {duration != null && <Fact name={t("card.duration")}>{<span className="figures">{formatClock(duration)}</span>}</Fact>}
      {words > 0 && <Fact name={t("card.words")}>{<span className="figures">{formatNumber(words, locale)}</span>}</Fact>}
      {model && <Fact name={t("card.model")}>{<span className="figures text-sm">{model}</span>}</Fact>}
      <Fact name={t("card.size")}>{formatBytes(job.file_size, locale)}</Fact>
      {job.audio_track != null && <Fact name={t("card.track")}>{t("card.trackNumber", { number: job.audio_track + 1 })}</Fact>}
      <Fact name={t("card.created")}>{formatDateTime(job.created_at, locale)}</Fact>
    </dl>
  );
}

/** Every setting that was switched on or filled in; mode and language are shown above. */
function RequestedFacts({ job: { settings, held_parts } }: { job: Job }) {
  const { t } = useTranslation(["transcript", "presets", "analysis", "rules"]);
  const allSettings = useAllSettings();
  const above = [t("rules:setting.transcription_type"), t("presets:sets.language")];
  const chosen = allSettings(settings).filter(({ label, value }) => value !== "" && !above.includes(label));
  if (chosen.length === 0 && !settings.custom_prompt) {
    return null;
  }
  return (
    <div className="mt-4 border-t border-rule pt-3">
      <h4 className="kicker">{t("transcript:card.asked")}</h4>
      <dl className={FACTS}>
        {chosen.map(({ label, value }) => (
          <Fact key={label} name={label}>
            {value}
          </Fact>
        ))}
      </dl>
      {held_parts > 0 && <p className="mt-2.5 text-sm text-ink-soft">{t("analysis:held.of_job", { count: held_parts })}</p>}
      {settings.custom_prompt && (
        <details className="mt-2.5 text-[0.9375rem]">
          <summary className="text-ink-faint">{t("presets:prompt.title")}</summary>
          <p className="mt-1 max-h-40 overflow-y-auto text-sm whitespace-pre-wrap wrap-anywhere">{settings.custom_prompt}</p>
        </details>
      )}
    </div>
  );
}

/** The files made when the job completed, and when: later edits are not in them. */
function JobFiles({ job }: { job: Job }) {
  const { my_job_id, files } = job;
  const { t } = useTranslation("transcript");
  const locale = useLocale();
  const [first] = files;
  if (!first) {
    return null;
  }
  return (
    <section aria-label={t("card.files")} className="mt-4 border-t border-rule pt-3">
      <h4 className="kicker">{t("card.files")}</h4>
      <p className="mt-1.5 text-sm text-ink-soft">{t("card.filesMade", { date: formatDateTime(first.made_at, locale) })}</p>
      {files.map(({ format }) => (
        <MadeFileButton key={format} jobId={my_job_id} name={fileStemOf(job)} format={format} />
      ))}
    </section>
  );
}

function OriginalButton({ job }: { job: Job }) {
  const { t } = useTranslation("transcript");
  const errorText = useErrorText();
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      const { url } = await fetchMediaLink(job.my_job_id);
      saveFile(url, job.original_filename);
    } catch (error) {
      toast.error(`${t("card.originalFailed")}. ${errorText(error)}`);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="small" className="mt-4 w-full" busy={busy} onClick={() => void download()}>
      <FileDown aria-hidden="true" />
      {t("card.original")}
    </Button>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col lg:flex-row lg:justify-between lg:gap-4">
      <dt className="text-ink-faint">{name}</dt>
      <dd className="min-w-0 wrap-anywhere lg:min-w-10 lg:text-right">{children}</dd>
    </div>
  );
}
