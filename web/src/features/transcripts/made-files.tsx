/** Of one recording: the files that were made of its text. */
import type { Job } from "@/api";
import { MadeFileButton } from "@/components/made-file-button";

export function MadeFiles({ job: { my_job_id, original_filename, files } }: { job: Job }) {
  if (files.length === 0) return null;
  return (
    <div className="mt-1.5 flex flex-wrap gap-2">
      {files.map(({ format }) => (
        <MadeFileButton key={format} small jobId={my_job_id} name={original_filename} format={format} />
      ))}
    </div>
  );
}
