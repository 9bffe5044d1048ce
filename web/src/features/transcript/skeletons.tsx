/** Placeholders of the page and the text in their final shape, so that nothing moves when they are loaded. */
import { Skeleton } from "@/components/skeleton";

const LINES = ["w-11/12", "w-full", "w-10/12", "w-full", "w-7/12", "w-full", "w-11/12", "w-9/12"];
const TABS = ["w-11", "w-14", "w-12", "w-18", "w-18"];

/** The views of the text and the actions on it: one row on a phone. */
export function HeadSkeleton() {
  return (
    <div>
      <div className="flex h-[2.875rem] items-center gap-5 overflow-hidden border-b-2 border-rule-strong sm:gap-7">
        {TABS.map((width, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fixed drawing
          <Skeleton key={at} className={`h-3 shrink-0 ${width}`} />
        ))}
      </div>
      <div className="flex h-[calc(var(--control)+0.75rem)] items-center border-b border-rule max-sm:hidden">
        <Skeleton className="h-8 w-28" />
      </div>
    </div>
  );
}

export function TextSkeleton() {
  return (
    <div className="ml-[3.25rem] flex max-w-(--reading-measure) flex-col gap-5 pt-2 sm:ml-[4.5rem]">
      {LINES.map((width, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a fixed drawing
        <Skeleton key={at} className={`h-3 ${width}`} />
      ))}
    </div>
  );
}
