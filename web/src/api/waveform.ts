/** The waveform of a recording. */
import { queryOptions } from "@tanstack/react-query";
import { api, call, openApi } from "./client";
import { ApiError } from "./problem";

/** It is computed with the job, and may be ready a little later than the text. */
const ASK_AGAIN_MS = 15_000;
const MAX_TRIES = 8;

const isNotReady = (error: unknown) => error instanceof ApiError && error.code === "waveform_not_ready";

/** Fetched once; polled until it is ready. */
const MADE_LATE = {
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  refetchInterval: ({ state }: { state: { error: unknown; errorUpdateCount: number } }) =>
    isNotReady(state.error) && state.errorUpdateCount < MAX_TRIES && ASK_AGAIN_MS,
} as const;

/** Values from 0 to 1, evenly spaced. If there are none, no error is shown: the speech density is drawn instead. */
export const waveformQuery = (id: string) =>
  queryOptions({
    queryKey: ["waveform", id],
    queryFn: async ({ signal }) => {
      const { peaks } = await call(api.GET("/api/v1/jobs/{id}/waveform", { params: { path: { id } }, signal }));
      return peaks;
    },
    ...MADE_LATE,
  });

/** The same for a shared recording; `path` is its `waveform_url`, null if the link does not include the recording. */
export const sharedWaveformQuery = (path: string | null) =>
  queryOptions({
    queryKey: ["shared-waveform", path],
    queryFn: async ({ signal }) => {
      const token = path?.slice(path.lastIndexOf("/") + 1) ?? "";
      const { peaks } = await call(openApi.GET("/api/v1/shared/waveform/{token}", { params: { path: { token } }, signal }));
      return peaks;
    },
    enabled: path !== null,
    ...MADE_LATE,
  });
