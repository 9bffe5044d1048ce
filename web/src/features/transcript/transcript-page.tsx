/**
 * /transcription/{jobId}: a job, from the queue to the finished text, which can be read, played, edited and exported.
 */

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useStore } from "zustand";
import { ApiError, type Job, type OpenedJob } from "@/api";
import { reportOpened } from "@/api/jobs";
import { mediaLinkQuery } from "@/api/media-link";
import { LinkButton } from "@/components/button";
import { Silence } from "@/components/drawings";
import { Skeleton } from "@/components/skeleton";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { CopyButton } from "@/domain/transcript/copy-button";
import { Player } from "@/domain/transcript/player";
import { createPlayerStore } from "@/domain/transcript/player-store";
import { SegmentList } from "@/domain/transcript/segment-list";
import { buildTimeline } from "@/domain/transcript/timeline";
import { cx } from "@/lib/class-names";
import { titleOf } from "@/lib/job-title";
import { toast } from "@/lib/toast";
import { ANNOTATION_SHORTCUTS } from "./annotations/use-annotation-keys";
import { Announcer } from "./announcer";
import { jobQuery } from "./api";
import { Columns } from "./columns";
import { CUE_SHORTCUTS } from "./cues/use-cue-keys";
import type { DocumentStore } from "./document/document-store";
import type { EditedTranscript } from "./document/model";
import { useDocument } from "./document/use-document";
import { EDITOR_SHORTCUTS } from "./editor/shortcuts";
import { EndedPanel, RetryButton } from "./ended-panel";
import { ForeignJob, ForeignNote, useForeign } from "./foreign";
import { Help } from "./help/help";
import { JobCard } from "./job-card";
import { LivePanel } from "./live-panel";
import { type LiveStore, selectProgress, selectSegments } from "./live-store";
import { LiveText } from "./live-text";
import { isTerminal } from "./model";
import { PageHead } from "./page-head";
import { removedQuery } from "./removed/api";
import { RerunStrip } from "./rerun-strip";
import { isMissingText, ResyncPanel } from "./resync-panel";
import { HeadSkeleton, TextSkeleton } from "./skeletons";
import { useLiveJob } from "./use-live-job";
import { useTitle } from "./use-title";
import { WarningsNote } from "./warnings/warnings-note";
import { WorkspaceView } from "./workspace-view";

const PAGE = "mx-auto flex w-full max-w-[72rem] flex-1 flex-col px-4 md:px-8";

const FOREIGN_SHORTCUTS = [...EDITOR_SHORTCUTS, ...CUE_SHORTCUTS];
const SHORTCUTS = [...FOREIGN_SHORTCUTS, ...ANNOTATION_SHORTCUTS];

export function TranscriptPage({ jobId }: { jobId: string }) {
  const { t } = useTranslation("transcript");
  const job = useQuery(jobQuery(jobId));
  const navigate = useNavigate();
  const isDeleted = isDeletedError(job.error);

  useEffect(() => {
    if (isDeleted) {
      toast.error(t("notFound"));
      void navigate("/dashboard", { replace: true });
    }
  }, [isDeleted, navigate, t]);

  if (job.data && !isDeleted) {
    return (
      <ForeignJob value={job.data.owner != null}>
        <JobPage job={job.data} />
      </ForeignJob>
    );
  }
  if (job.error && !isDeleted) {
    return <ErrorState title={t("loadFailed")} error={job.error} onRetry={() => void job.refetch()} />;
  }
  return <PageSkeleton />;
}

/** There is no such job for this user; an invalid id is answered as a bad request. */
function isDeletedError(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400 || error.status === 422);
}

function JobPage({ job }: { job: OpenedJob }) {
  const { t } = useTranslation("transcript");
  const live = useLiveJob(job);
  const completed = job.status === "completed";
  // An existing text stays readable while another run is in progress.
  const { transcript, document, error, reload } = useDocument(job.my_job_id, completed || hasText(job), useForeign());
  const warnings = useStore(live, (state) => state.warnings);
  const unrecognised = useUnrecognisedOnly(transcript, job);
  const isReadable = transcript !== undefined && (transcript.segments.length > 0 || unrecognised === true);
  const readable = isReadable && document ? { transcript, document } : null;
  const isAwaited = completed && !isMissingText(job) && !transcript && !error;
  useTitle(job);
  return (
    <div className={PAGE}>
      {/* On a phone the text comes first; the back link is in the drawer. */}
      <PageHead title={titleOf(job)} sample={job.is_sample} className={cx("pt-2", (readable || isAwaited) && "max-sm:hidden")} />
      {job.owner && <ForeignNote owner={job.owner} />}
      <WarningsNote
        key={job.my_job_id}
        job={job}
        warnings={completed || warnings.length === 0 ? job.warnings : warnings}
        document={document}
      />
      {readable ? (
        <>
          {!isTerminal(job.status) && <RerunStrip live={live} />}
          <ReadableJob key={readable.transcript.version} job={job} {...readable} />
        </>
      ) : job.error?.code === "no_speech" && isTerminal(job.status) ? (
        <NoSpeech job={job} />
      ) : isMissingText(job) ? (
        <Columns job={job}>
          <ResyncPanel job={job} />
        </Columns>
      ) : completed ? (
        transcript?.segments.length === 0 && unrecognised === false ? (
          <NoSpeech job={job} transcript={transcript} />
        ) : error ? (
          <Columns job={job}>
            <ErrorState title={t("loadFailed")} error={error} onRetry={reload} />
          </Columns>
        ) : (
          <AwaitedText job={job} live={live} />
        )
      ) : (
        <Columns job={job}>
          <UnfinishedJob job={job} live={live} />
        </Columns>
      )}
      <JobAnnouncer job={job} live={live} />
      <Help shortcuts={job.owner ? FOREIGN_SHORTCUTS : SHORTCUTS} />
    </div>
  );
}

/**
 * Whether a text is empty although somebody speaks: its passages can be recognised again in place. Undefined until it is
 * known.
 */
function useUnrecognisedOnly(transcript: EditedTranscript | undefined, job: OpenedJob): boolean | undefined {
  const enabled = transcript?.segments.length === 0 && job.owner == null;
  const { data, error } = useQuery({ ...removedQuery(job.my_job_id, transcript?.version ?? 0), enabled, retry: false });
  return !enabled || error ? false : data?.passages.some(({ reason }) => reason === "unrecognised");
}

/** Whether an earlier run has produced a text. */
const hasText = (job: Job): boolean => job.versions > 0;

interface JobPartProps {
  job: Job;
  live: LiveStore;
}

interface ReadableJobProps {
  job: Job;
  transcript: EditedTranscript;
  document: DocumentStore;
}

function ReadableJob({ job, transcript, document }: ReadableJobProps) {
  const [player] = useState(() => createPlayerStore(job.duration ?? 0));
  const foreign = useForeign();
  useEffect(() => {
    if (!foreign) {
      void reportOpened(job.my_job_id);
    }
  }, [foreign, job.my_job_id]);
  return <WorkspaceView job={job} transcript={transcript} document={document} player={player} />;
}

function UnfinishedJob({ job, live }: JobPartProps) {
  const { t } = useTranslation("transcript");
  const segments = useStore(live, selectSegments);
  const some = segments.length > 0;
  if (!isTerminal(job.status)) {
    return (
      <>
        <LivePanel job={job} live={live} />
        <div className="mt-6">
          {job.status === "pending" && !some ? null : <LiveText live={live} timed={job.settings.sentence_level_timestamps} />}
        </div>
      </>
    );
  }
  return (
    <>
      <EndedPanel job={job} />
      {some && (
        <div className="mt-8">
          <div className="mb-3 flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
            <p className="kicker">{t("failed.partial")}</p>
            <CopyButton size="small" segments={() => segments} />
          </div>
          <KnownText live={live} timed={job.settings.sentence_level_timestamps} />
        </div>
      )}
    </>
  );
}

/** In the shape of the workspace, so that nothing moves when it is loaded. */
function AwaitedText({ job, live }: JobPartProps) {
  return (
    <>
      <HeadSkeleton />
      <div className="grid flex-1 content-start gap-x-10 pt-1 pb-8 sm:pt-5 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <div className="min-w-0">
          <KnownText live={live} timed={job.settings.sentence_level_timestamps} />
        </div>
        <aside className="max-lg:hidden">
          <JobCard job={job} transcript={undefined} whole />
        </aside>
      </div>
    </>
  );
}

/** The text received while the job was running, until the complete text is loaded; otherwise a placeholder. */
function KnownText({ live, timed }: { live: LiveStore; timed: boolean }) {
  const segments = useStore(live, selectSegments);
  return segments.length > 0 ? (
    <SegmentList segments={segments} firstWord={buildTimeline(segments).firstWord} timed={timed} />
  ) : (
    <TextSkeleton />
  );
}

function NoSpeech({ job, transcript }: { job: Job; transcript?: EditedTranscript }) {
  const { t } = useTranslation("transcript");
  const link = useQuery(mediaLinkQuery(job.my_job_id));
  const foreign = useForeign();
  const [player] = useState(() => createPlayerStore(job.duration ?? 0));
  const heard = job.warnings.some(({ code }) => code === "much_unrecognised");
  return (
    <>
      <Columns job={job} {...(transcript && { transcript })}>
        <EmptyState
          drawing={Silence}
          title={t(heard ? "empty.unrecognised" : "empty.title")}
          text={t(heard ? "empty.unrecognisedBody" : "empty.body")}
          actions={
            !foreign && (
              <>
                {job.status !== "completed" && <RetryButton jobId={job.my_job_id} />}
                <LinkButton to="/upload">{t("empty.again")}</LinkButton>
              </>
            )
          }
        />
      </Columns>
      <Player link={link} hasVideo={job.has_video} segments={[]} player={player} />
    </>
  );
}

function JobAnnouncer({ job, live }: JobPartProps) {
  const { t } = useTranslation(["transcript", "rules"]);
  const progress = useStore(live, selectProgress);
  // The end is announced only to readers who were present while the job was running.
  const watched = useStore(live, (state) => state.known);
  if (!watched) {
    return null;
  }
  if (job.status === "completed") {
    return <Announcer now text={t("live.announceDone")} />;
  }
  if (isTerminal(job.status)) {
    // Its own panel shows what happened.
    return null;
  }
  const count = Math.round(progress?.percent ?? 0);
  return <Announcer text={t("live.announceProgress", { stage: t(`rules:stage.${progress?.stage ?? "queued"}`), count })} />;
}

function PageSkeleton() {
  const { t } = useTranslation("transcript");
  return (
    <div role="status" aria-label={t("loading")} className={PAGE}>
      <div className="flex h-12 items-center pt-2 max-sm:hidden">
        <Skeleton className="h-4 w-52" />
      </div>
      <HeadSkeleton />
      <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <TextSkeleton />
        <Skeleton className="h-72 w-full max-lg:hidden" />
      </div>
    </div>
  );
}
