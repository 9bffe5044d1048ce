/** A recording that contains the searched words, with all matches: each opens at its second. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { type FoundJob, matchesQuery, type SearchHit } from "@/api/search";
import { Button } from "@/components/button";
import { MarkedText } from "@/components/marked-text";
import { speakerSign } from "@/domain/transcript/speakers";
import { useErrorText } from "@/hooks/use-error-text";
import { formatClock } from "@/lib/format";
import { titleOf } from "@/lib/job-title";
import { GroupChips } from "./groups/group-chips";

export function FoundItem({ found, q }: { found: FoundJob; q: string }) {
  const { job, name_ranges, hits, hit_count } = found;
  const { t } = useTranslation("transcripts");
  const list = useId();
  // The expanded state belongs to one query.
  const [openFor, setOpenFor] = useState<string | null>(null);
  const open = openFor === q;
  const page = `/transcription/${job.my_job_id}`;
  const more = hit_count > hits.length;
  return (
    <li className="border-b border-rule py-3.5">
      <div className="flex items-baseline gap-4">
        <Link
          to={page}
          className="min-w-0 font-serif text-[1.0625rem] leading-snug wrap-anywhere underline-offset-4 hover:underline"
        >
          <MarkedText text={titleOf(job) || t("untitled")} ranges={titleOf(job) ? name_ranges : []} />
        </Link>
        {hit_count > 0 && (
          <span className="ml-auto shrink-0 text-sm text-ink-faint">{t("said.places", { count: hit_count })}</span>
        )}
      </div>
      <GroupChips job={job} />
      <div id={list} className="mt-1.5">
        {open && more ? <AllPlaces jobId={job.my_job_id} q={q} page={page} first={hits} /> : <Places hits={hits} page={page} />}
      </div>
      {more && (
        <Button
          size="small"
          look="quiet"
          className="mt-1 -ml-3"
          aria-expanded={open}
          aria-controls={list}
          onClick={() => setOpenFor(open ? null : q)}
        >
          {open ? t("said.fewer") : t("said.all", { count: hit_count })}
        </Button>
      )}
    </li>
  );
}

interface AllPlacesProps {
  jobId: string;
  q: string;
  page: string;
  /** Shown until the others are loaded. */
  first: readonly SearchHit[];
}

function AllPlaces({ jobId, q, page, first }: AllPlacesProps) {
  const { t } = useTranslation(["transcripts", "common"]);
  const errorText = useErrorText();
  const all = useInfiniteQuery(matchesQuery(jobId, q));
  const known = all.data?.pages.flatMap(({ items }) => items) ?? first;
  return (
    <div aria-busy={all.isFetching}>
      <Places hits={known} page={page} />
      {all.isError && (
        <p role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2 text-bad">
          {t("said.failed", { reason: errorText(all.error) })}
          <Button size="small" onClick={() => void (all.data ? all.fetchNextPage() : all.refetch())}>
            {t("common:actions.try_again")}
          </Button>
        </p>
      )}
      {all.hasNextPage && !all.isError && (
        <Button size="small" className="mt-1" busy={all.isFetchingNextPage} onClick={() => void all.fetchNextPage()}>
          {t("load_more")}
        </Button>
      )}
    </div>
  );
}

function Places({ hits, page }: { hits: readonly SearchHit[]; page: string }) {
  return (
    <ul>
      {hits.map((hit) => (
        <li key={hit.segment_id}>
          <Passage hit={hit} to={`${page}?t=${hit.start}`} />
        </li>
      ))}
    </ul>
  );
}

function Passage({ hit: { start, speaker, speaker_ranges, text, ranges }, to }: { hit: SearchHit; to: string }) {
  return (
    <Link
      to={to}
      className="-mx-2 flex gap-3 rounded px-2 py-1 text-ink-soft hover:bg-paper-sunk hover:text-ink pointer-coarse:min-h-11 pointer-coarse:items-center"
    >
      <span className="figures w-14 shrink-0 pt-0.5 text-right text-sm text-voice-ink">{formatClock(start)}</span>
      <span className="line-clamp-2 font-serif leading-snug">
        {speaker && (
          <span className="mr-1.5 font-sans text-sm text-ink-faint">
            {/^SPEAKER_\d+$/.test(speaker) ? speakerSign(speaker) : <MarkedText text={speaker} ranges={speaker_ranges} />}
          </span>
        )}
        <MarkedText text={text} ranges={ranges} />
      </span>
    </Link>
  );
}
