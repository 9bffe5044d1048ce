/** The files made when a recording's job completed. */
import type { Job } from "@/api";
import { MadeFileButton } from "@/domain/export/made-file-button";
import { fileStemOf } from "@/lib/job-title";

export function MadeFiles({ job }: { job: Job }) {
  const { my_job_id, files } = job;
  if (files.length === 0) return null;
  return (
    <div className="mt-1.5 flex flex-wrap gap-2">
      {files.map(({ format }) => (
        <MadeFileButton key={format} small jobId={my_job_id} name={fileStemOf(job)} format={format} />
      ))}
    </div>
  );
}
