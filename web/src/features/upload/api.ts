/** Requests of the upload page. */
import { ApiError, api, call } from "@/api";
import type { JobOrder } from "./upload-model";

/** The source of a job. */
export type JobSource = { uploadId: string } | { url: string };

export const fetchUpload = (id: string) => call(api.GET("/api/v1/uploads/{id}", { params: { path: { id } } }));

/** An upload that no longer exists counts as removed. */
export const removeUpload = (id: string): Promise<unknown> =>
  call(api.DELETE("/api/v1/uploads/{id}", { params: { path: { id }, header: { "Tus-Resumable": "1.0.0" } } })).catch(
    (error: unknown) => {
      if (!(error instanceof ApiError) || (error.status !== 404 && error.status !== 410)) {
        throw error;
      }
    },
  );

/** Asks the server to probe a URL, which takes some seconds. */
export const probeUrl = (url: string, signal: AbortSignal) => call(api.POST("/api/v1/urls/probe", { body: { url }, signal }));

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
