/** Recordings that contain the searched words, with passages; each opens at its second. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type FoundJob, searchQuery } from "@/api/search";
import { Button } from "@/components/button";
import { NothingFound } from "@/components/drawings";
import { Skeleton } from "@/components/skeleton";
import { EmptyNote } from "@/components/state-panel";
import { useErrorText } from "@/hooks/use-error-text";
import { FoundItem } from "./found-item";

export function PassageResults({ q, hidden }: { q: string; hidden: ReadonlySet<string> }) {
  const { t } = useTranslation(["transcripts", "common"]);
  const errorText = useErrorText();
  const search = useInfiniteQuery(searchQuery(q));
  const passages = search.data?.pages
    .flatMap((page) => page.items)
    .filter((passage) => (passage.hit_count > 0 || isAnotherForm(passage, q)) && !hidden.has(passage.job.my_job_id));
  return (
    <section aria-labelledby="said" aria-busy={search.isFetching} className="flex flex-col">
      <div className="border-b-2 border-ink pb-2">
        <h3 id="said" className="headline text-lg">
          {t("said.title")}
        </h3>
        <p className="mt-0.5 text-sm text-ink-faint">{t("said.hint")}</p>
      </div>
      {search.isError && !search.data ? (
        <p role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-rule py-3 text-bad">
          {t("said.failed", { reason: errorText(search.error) })}
          <Button size="small" onClick={() => void search.refetch()}>
            {t("common:actions.try_again")}
          </Button>
        </p>
      ) : !passages ? (
        <PassageSkeleton />
      ) : passages.length === 0 && !search.hasNextPage ? (
        <EmptyNote drawing={NothingFound} className="border-b border-rule">
          <p>{t("said.nothing")}</p>
        </EmptyNote>
      ) : (
        <ol className={search.isPlaceholderData ? "opacity-60" : ""}>
          {passages.map((passage) => (
            <FoundItem key={passage.job.my_job_id} found={passage} q={q} />
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

/** The name contains another form of the words, so the list of names above does not include it. */
const isAnotherForm = ({ job, name_ranges }: FoundJob, q: string) =>
  name_ranges.length > 0 &&
  ![job.title ?? "", job.original_filename].some((name) => name.toLowerCase().includes(q.trim().toLowerCase()));

function PassageSkeleton() {
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
