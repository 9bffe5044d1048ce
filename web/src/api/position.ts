/** Where the reader stopped listening, kept for their other visits and devices. */
import { api, call } from "./client";

/** Seconds; null at the beginning. */
export const fetchPosition = (id: string, signal: AbortSignal): Promise<number | null> =>
  call(api.GET("/api/v1/jobs/{id}/position", { params: { path: { id } }, signal })).then(({ seconds }) => seconds);

/** `keepalive`: the page is being left, and the request outlives it. */
export const keepPosition = (id: string, seconds: number, keepalive = false): Promise<unknown> =>
  call(api.PUT("/api/v1/jobs/{id}/position", { params: { path: { id } }, body: { seconds }, keepalive }));
