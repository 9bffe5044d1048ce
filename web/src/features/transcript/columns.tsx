/** The text of a job that cannot be edited yet, with its details beside it (above it on a phone). */
import type { ReactNode } from "react";
import type { Job } from "@/api";
import { DebugBox } from "./debug-box";
import { type FoundText, JobCard } from "./job-card";
import { useSideTop } from "./use-side-top";

interface ColumnsProps {
  job: Job;
  transcript?: FoundText;
  children: ReactNode;
}

export function Columns({ job, transcript, children }: ColumnsProps) {
  const side = useSideTop();
  return (
    <div className="mt-6 grid flex-1 content-start gap-x-10 gap-y-5 pb-[calc(2rem+var(--tour-room,0px))] lg:grid-cols-[minmax(0,1fr)_17rem]">
      <div className="min-w-0 max-lg:order-2">{children}</div>
      <aside
        ref={side}
        className="flex flex-col gap-4 max-lg:order-1 lg:sticky lg:top-[calc(var(--header-height)+1.5rem)] lg:side-height lg:self-start lg:overflow-y-auto"
      >
        <JobCard job={job} transcript={transcript} />
        <DebugBox job={job} />
      </aside>
    </div>
  );
}
