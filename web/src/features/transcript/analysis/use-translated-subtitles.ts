import { useQuery } from "@tanstack/react-query";
import type { Job } from "@/api";
import { analysisQuery } from "@/api/analysis";
import { stateOf, targetsOf } from "./model";

const PART = "subtitle_translation";

/** The languages of translated subtitles of the shown text; empty until known. */
export function useTranslatedSubtitles(job: Job, version: number, enabled: boolean): readonly string[] {
  const { data } = useQuery({ ...analysisQuery(job.my_job_id, version), enabled });
  if (!data) return [];
  return targetsOf(data, PART).filter((target) => stateOf(data, PART, target).done.length > 0);
}
