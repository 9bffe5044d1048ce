/** The text, and beside it (above it on a phone) what was asked for and found. */
import type { ReactNode } from "react";
import type { Job } from "@/api";
import { cx } from "@/lib/class-names";
import { DebugBox } from "./debug-box";
import { type FoundText, JobCard } from "./job-card";

interface ColumnsProps {
  job: Job;
  transcript?: FoundText;
  /** Over the card; under it on a phone. */
  aside?: ReactNode;
  /** Takes the place of all that stands beside the text while `panelOpen`. */
  panel?: ReactNode;
  panelOpen?: boolean;
  children: ReactNode;
}

export function Columns({ job, transcript, aside, panel, panelOpen = false, children }: ColumnsProps) {
  return (
    <div
      className={cx(
        "mt-6 grid flex-1 content-start gap-y-5 pb-[calc(2rem+var(--tour-room,0px))]",
        panelOpen
          ? "gap-x-8 lg:grid-cols-[minmax(0,1fr)_21rem] xl:grid-cols-[minmax(0,1fr)_24rem]"
          : "gap-x-10 lg:grid-cols-[minmax(0,1fr)_17rem]",
      )}
    >
      <div className="min-w-0 max-lg:order-2">{children}</div>
      {/* What does not fit between the head of the page and the dock with its picture scrolls by itself. */}
      <aside className="max-lg:order-1 lg:sticky lg:top-[calc(var(--header-height)+1.5rem)] lg:max-h-[calc(100dvh-var(--header-height)-8.5rem-var(--video-height,0px))] flex flex-col gap-4 lg:self-start lg:overflow-y-auto">
        {panel}
        <div className={cx("contents", panelOpen && "lg:hidden")}>
          {/* Folded, they stand side by side on a phone: the text begins above its middle. */}
          <div
            className={cx(
              "grid gap-3 lg:contents",
              aside !== undefined &&
                "grid-cols-2 has-[>div:empty]:grid-cols-1 has-[details[open]]:grid-cols-1 *:min-w-0 [&>div>details]:h-full",
            )}
          >
            <JobCard job={job} transcript={transcript} />
            {aside && <div className="lg:order-first">{aside}</div>}
          </div>
          <DebugBox job={job} />
        </div>
      </aside>
    </div>
  );
}
