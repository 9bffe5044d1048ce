/** The reader's playback position, stored for other visits and devices. */
import { api, call } from "./client";

/** In seconds; null at the beginning. */
export const fetchPosition = (id: string, signal: AbortSignal): Promise<number | null> =>
  call(api.GET("/api/v1/jobs/{id}/position", { params: { path: { id } }, signal })).then(({ seconds }) => seconds);

/** `keepalive`: the page is being closed, and the request must outlive it. */
export const savePosition = (id: string, seconds: number, keepalive = false): Promise<unknown> =>
  call(api.PUT("/api/v1/jobs/{id}/position", { params: { path: { id } }, body: { seconds }, keepalive }));
