/** The calls of the upload page. */
import { api, call, type TranscriptionSettings } from "@/api";

export const fetchUpload = (id: string) => call(api.GET("/api/v1/uploads/{id}", { params: { path: { id } } }));

export const createJob = (upload_id: string, settings: TranscriptionSettings) =>
  call(api.POST("/api/v1/jobs", { body: { upload_id, settings } }));
