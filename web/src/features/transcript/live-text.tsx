/** The text while it is recognised. New sentences fade in below; the page scrolls only if the reader follows. */
import { useQuery } from "@tanstack/react-query";
import { ArrowDown } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { subscriptionQuery } from "@/api/subscription";
import { Button } from "@/components/button";
import { NotInPlan } from "@/components/not-in-plan";
import { Skeleton } from "@/components/skeleton";
import { scrollPageBy } from "@/domain/transcript/page-scroll";
import { SegmentList } from "@/domain/transcript/segment-list";
import { buildTimeline } from "@/domain/transcript/timeline";
import { useReaderScrolls } from "@/domain/transcript/use-reader-scrolls";
import { type LiveStore, selectFreshFrom, selectProgress, selectSegments } from "./live-store";

/** Space below the newest line, in px. */
const FOOT_PX = 96;

/** `timed`: whether times were requested. */
export function LiveText({ live, timed }: { live: LiveStore; timed: boolean }) {
  const { t } = useTranslation("transcript");
  const segments = useStore(live, selectSegments);
  const freshFrom = useStore(live, selectFreshFrom);
  const stage = useStore(live, selectProgress)?.stage ?? "";
  const { firstWord } = useMemo(() => buildTimeline(segments), [segments]);
  const end = useRef<HTMLDivElement>(null);
  const [following, setFollowing] = useState(true);
  const { data: subscription } = useQuery(subscriptionQuery());
  // If so, the server sends no text before the job has completed.
  const hidden = subscription?.features.includes("realtime") === false;
  // Scrolling back to the end resumes following.
  useReaderScrolls(() => setFollowing(atEnd(end.current)));

  useEffect(() => {
    if (following && segments.length > 0) {
      scrollToEnd(end.current);
    }
  }, [following, segments]);

  // The text is complete; the remaining stages only process it.
  const complete = stage === "speakers" || stage === "finishing";

  return (
    <section aria-label={t("live.text")} data-testid="live-text">
      <SegmentList segments={segments} firstWord={firstWord} freshFrom={freshFrom} timed={timed} />
      {segments.length > 0 ? (
        complete || <NextLine />
      ) : hidden ? (
        <NotInPlan text={t("live.hidden")} className="py-2 text-ink-soft" />
      ) : (
        <p className="py-2 text-ink-soft">{t("live.preparing")}</p>
      )}
      <div ref={end} />
      {!following && segments.length > 0 && (
        <div className="sticky bottom-4 z-10 mt-4 flex justify-center">
          <Button size="small" className="shadow-sheet" onClick={() => setFollowing(true)}>
            <ArrowDown aria-hidden="true" />
            {t("live.newest")}
          </Button>
        </div>
      )}
    </section>
  );
}

/** A placeholder for the next sentence. */
function NextLine() {
  return (
    <div className="mt-3 ml-[3.25rem] flex max-w-(--reading-measure) flex-col gap-3 sm:ml-[4.5rem]">
      <Skeleton className="h-2.5 w-3/4" />
      <Skeleton className="h-2.5 w-2/5" />
    </div>
  );
}

function scrollToEnd(end: HTMLElement | null): void {
  const below = (end?.getBoundingClientRect().bottom ?? 0) + FOOT_PX - window.innerHeight;
  if (below > 0) {
    scrollPageBy(below);
  }
}

function atEnd(end: HTMLElement | null): boolean {
  return (end?.getBoundingClientRect().bottom ?? 0) <= window.innerHeight;
}
