/** Where the searched words were said: recordings with their passages, each of which opens at its second. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { type FoundJob, type SearchHit, searchQuery } from "@/api/search";
import { Button } from "@/components/button";
import { NothingFound } from "@/components/drawings";
import { MarkedText } from "@/components/marked-text";
import { Skeleton } from "@/components/skeleton";
import { EmptyNote } from "@/components/state-panel";
import { speakerSign } from "@/components/transcript/speakers";
import { useErrorText } from "@/hooks/use-error-text";
import { formatClock } from "@/lib/format";

export function Said({ q, hidden }: { q: string; hidden: ReadonlySet<string> }) {
  const { t } = useTranslation(["transcripts", "common"]);
  const errorText = useErrorText();
  const search = useInfiniteQuery(searchQuery(q));
  const found = search.data?.pages
    .flatMap((page) => page.items)
    .filter(({ job, hit_count }) => hit_count > 0 && !hidden.has(job.my_job_id));
  return (
    <section aria-labelledby="said" aria-busy={search.isFetching} className="flex flex-col">
      <h3 id="said" className="headline border-b-2 border-ink pb-2 text-lg">
        {t("said.title")}
      </h3>
      {search.isError && !search.data ? (
        <p role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-rule py-3 text-bad">
          {t("said.failed", { reason: errorText(search.error) })}
          <Button size="small" onClick={() => void search.refetch()}>
            {t("common:actions.try_again")}
          </Button>
        </p>
      ) : !found ? (
        <SaidSkeleton />
      ) : found.length === 0 && !search.hasNextPage ? (
        <EmptyNote drawing={NothingFound} className="border-b border-rule">
          <p>{t("said.nothing")}</p>
        </EmptyNote>
      ) : (
        <ol className={search.isPlaceholderData ? "opacity-60" : ""}>
          {found.map((one) => (
            <FoundItem key={one.job.my_job_id} found={one} />
          ))}
        </ol>
      )}
      {search.hasNextPage && (
        <Button className="mt-3 self-center" busy={search.isFetchingNextPage} onClick={() => void search.fetchNextPage()}>
          {t("load_more")}
        </Button>
      )}
    </section>
  );
}

function FoundItem({ found: { job, name_ranges, hits, hit_count } }: { found: FoundJob }) {
  const { t } = useTranslation("transcripts");
  const page = `/transcription/${job.my_job_id}`;
  return (
    <li className="border-b border-rule py-3.5">
      <div className="flex items-baseline gap-4">
        <Link
          to={page}
          className="min-w-0 font-serif text-[1.0625rem] leading-snug wrap-anywhere underline-offset-4 hover:underline"
        >
          <MarkedText text={job.original_filename || t("untitled")} ranges={job.original_filename ? name_ranges : []} />
        </Link>
        <span className="ml-auto shrink-0 text-sm text-ink-faint">{t("said.places", { count: hit_count })}</span>
      </div>
      <ul className="mt-1.5">
        {hits.map((hit) => (
          <li key={hit.segment_id}>
            <Passage hit={hit} to={`${page}?t=${hit.start}`} />
          </li>
        ))}
      </ul>
    </li>
  );
}

function Passage({ hit: { start, speaker, text, ranges }, to }: { hit: SearchHit; to: string }) {
  return (
    <Link
      to={to}
      className="-mx-2 flex gap-3 rounded px-2 py-1 text-ink-soft hover:bg-paper-sunk hover:text-ink pointer-coarse:min-h-11 pointer-coarse:items-center"
    >
      <span className="figures w-14 shrink-0 pt-0.5 text-right text-sm text-voice-ink">{formatClock(start)}</span>
      <span className="line-clamp-2 font-serif leading-snug">
        {speaker && (
          <span className="mr-1.5 font-sans text-sm text-ink-faint">
            {/^SPEAKER_\d+$/.test(speaker) ? speakerSign(speaker) : speaker}
          </span>
        )}
        <MarkedText text={text} ranges={ranges} />
      </span>
    </Link>
  );
}

function SaidSkeleton() {
  return (
    <div aria-hidden="true">
      {["a", "b"].map((key) => (
        <div key={key} className="border-b border-rule py-4">
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="mt-3 h-4 w-4/5" />
          <Skeleton className="mt-2 h-4 w-3/5" />
        </div>
      ))}
    </div>
  );
}
