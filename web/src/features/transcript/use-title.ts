/** The title of the page's job, and renaming it. */
import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { OpenedJob } from "@/api";
import { jobKeys, setTitle } from "@/api/jobs";
import { usePageTitle } from "@/hooks/use-page-title";
import { titleOf } from "@/lib/job-title";
import { type Naming, usePageHeading } from "@/lib/page-heading";
import { jobQuery } from "./api";

export function useTitle(job: OpenedJob): void {
  const queryClient = useQueryClient();
  const { my_job_id: id, original_filename: defaultName } = job;
  const currentName = job.title ?? "";
  const foreign = job.owner != null;
  const naming = useMemo((): Naming | null => {
    if (foreign) return null;
    const save = async (name: string) => {
      const { title } = await setTitle(id, name);
      queryClient.setQueryData(jobQuery(id).queryKey, (before) => before && { ...before, title: title ?? null });
      void queryClient.invalidateQueries({ queryKey: jobKeys.all });
    };
    return { currentName, defaultName, save };
  }, [foreign, currentName, id, defaultName, queryClient]);
  usePageTitle(titleOf(job));
  usePageHeading(titleOf(job), job.is_sample, naming);
}
