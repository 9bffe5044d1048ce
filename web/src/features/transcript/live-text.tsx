/** The text while it grows. New sentences fade in below; the page moves only for a reader who follows. */
import { useQuery } from "@tanstack/react-query";
import { ArrowDown } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { subscriptionQuery } from "@/api/subscription";
import { Button } from "@/components/button";
import { PlanLack } from "@/components/plan-lack";
import { Skeleton } from "@/components/skeleton";
import { scrollPageBy } from "@/domain/transcript/page-scroll";
import { SegmentList } from "@/domain/transcript/segment-list";
import { buildTimeline } from "@/domain/transcript/timeline";
import { useReaderScrolls } from "@/domain/transcript/use-reader-scrolls";
import { type LiveStore, selectFreshFrom, selectProgress, selectSegments } from "./live-store";

/** Room left under the newest line. */
const FOOT_PX = 96;

/** `timed`: whether the transcription was asked for times. */
export function LiveText({ live, timed }: { live: LiveStore; timed: boolean }) {
  const { t } = useTranslation("transcript");
  const segments = useStore(live, selectSegments);
  const freshFrom = useStore(live, selectFreshFrom);
  const stage = useStore(live, selectProgress)?.stage ?? "";
  const { firstWord } = useMemo(() => buildTimeline(segments), [segments]);
  const end = useRef<HTMLDivElement>(null);
  const [following, setFollowing] = useState(true);
  const { data: subscription } = useQuery(subscriptionQuery());
  // The server sends no text then before all of it is there.
  const hidden = subscription?.features.includes("realtime") === false;
  // Back at the end, the reader follows again.
  useReaderScrolls(() => setFollowing(atEnd(end.current)));

  useEffect(() => {
    if (following && segments.length > 0) {
      scrollToEnd(end.current);
    }
  }, [following, segments]);

  // No more of it comes: what is left is done to the text that is there.
  const whole = stage === "speakers" || stage === "finishing";

  return (
    <section aria-label={t("live.text")} data-testid="live-text">
      <SegmentList segments={segments} firstWord={firstWord} freshFrom={freshFrom} timed={timed} />
      {segments.length > 0 ? (
        whole || <NextLine />
      ) : hidden ? (
        <PlanLack text={t("live.hidden")} className="py-2 text-ink-soft" />
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

/** Where the next sentence will stand. */
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
