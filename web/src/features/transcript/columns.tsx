/** The text, and beside it (above it on a phone) what was asked for and found. */
import type { ReactNode } from "react";
import type { Job, Transcript } from "@/api";
import { JobCard } from "./job-card";

interface ColumnsProps {
  job: Job;
  transcript?: Transcript;
  children: ReactNode;
}

export function Columns({ job, transcript, children }: ColumnsProps) {
  return (
    <div className="mt-6 grid flex-1 content-start gap-x-10 gap-y-5 pb-8 lg:grid-cols-[minmax(0,1fr)_17rem]">
      <div className="min-w-0 max-lg:order-2">{children}</div>
      <aside className="max-lg:order-1 lg:sticky lg:top-[calc(var(--header-height)+1.5rem)] lg:self-start">
        <JobCard job={job} transcript={transcript} />
      </aside>
    </div>
  );
}
