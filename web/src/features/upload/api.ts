/** The calls of the upload page. */
import { api, apiFetch, call } from "@/api";
import type { JobOrder } from "./upload-model";

// Stands here until the document of the API names it.
/** What the server found behind an address. */
export interface UrlProbe {
  kind: "file" | "page" | "youtube";
  title: string | null;
  filename: string | null;
  /** Seconds. */
  duration: number | null;
  /** Bytes. */
  size: number | null;
  content_type: string | null;
}

/** What a job is made of. */
export type JobSource = { uploadId: string } | { url: string };

export const fetchUpload = (id: string) => call(api.GET("/api/v1/uploads/{id}", { params: { path: { id } } }));

export const removeUpload = (id: string) =>
  call(api.DELETE("/api/v1/uploads/{id}", { params: { path: { id }, header: { "Tus-Resumable": "1.0.0" } } }));

/** Asks the server to look at an address, which it does for some seconds. */
export async function probeUrl(url: string, signal: AbortSignal): Promise<UrlProbe> {
  const headers = { "content-type": "application/json" };
  const answer = await apiFetch("/api/v1/urls/probe", { method: "POST", headers, body: JSON.stringify({ url }), signal });
  return (await answer.json()) as UrlProbe;
}

export const createJob = (source: JobSource, { settings, presetId, audioTrack }: JobOrder) =>
  call(
    api.POST("/api/v1/jobs", {
      body: {
        settings: { ...settings, url: "url" in source ? source.url : "" },
        ...("uploadId" in source && { upload_id: source.uploadId }),
        ...(presetId !== null && { preset_id: presetId }),
        ...(audioTrack !== null && { audio_track: audioTrack }),
      },
    }),
  );
