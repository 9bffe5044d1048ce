/** The account's voices and what they have to do with the speakers of the page's text. */
import { useQuery } from "@tanstack/react-query";
import { useStore } from "zustand";
import type { Job } from "@/api";
import { type JobVoices, jobVoicesQuery, type Voice, voicesQuery } from "@/api/voices";
import type { DocumentStore } from "../document/document-store";

export interface SpeakerVoices {
  jobId: string;
  version: number;
  /** Empty until they are loaded. */
  voices: readonly Voice[];
  /** Null until it is loaded. */
  text: JobVoices | null;
  document: DocumentStore;
}

const NONE: readonly Voice[] = [];

/** Null if the reader may not change the text: then nothing is requested. */
export function useSpeakerVoices(job: Job, document: DocumentStore, editable: boolean): SpeakerVoices | null {
  const jobId = job.my_job_id;
  const version = useStore(document, (state) => state.version);
  const { data: voices = NONE } = useQuery({ ...voicesQuery(), enabled: editable });
  const { data: text = null } = useQuery({ ...jobVoicesQuery(jobId, version), enabled: editable });
  return editable ? { jobId, version, voices, text, document } : null;
}
