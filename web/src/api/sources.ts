/** The account's sources: places that are watched for new recordings. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { ADMIN_PAGE } from "@/rules/constants";
import { api, call } from "./client";
import type { SourceForm, SourceRecordingState } from "./schema";
import { useActionOn } from "./webhook-deliveries";

export type { Source, SourceForm, SourceKind, SourceProblem, SourceRecording, SourceRecordingState } from "./schema";

const sourcesKey = ["sources"] as const;

/** Polling interval in ms while something happens at a source. */
const BUSY_EVERY_MS = 3_000;
/** Polling interval in ms otherwise: looks happen by themselves. */
const QUIET_EVERY_MS = 30_000;

/** The sources, the oldest first, and what the account may add. */
export const sourcesQuery = () =>
  queryOptions({
    queryKey: sourcesKey,
    queryFn: ({ signal }) => call(api.GET("/api/v1/me/sources", { signal })),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const isDue = (at: string) => Date.parse(at) <= Date.now();
      const isBusy = state.data?.sources.some((one) => one.is_checking || (one.is_active && isDue(one.next_check_at)));
      return isBusy ? BUSY_EVERY_MS : QUIET_EVERY_MS;
    },
  });

/** What was found at a source, the newest first. */
export const sourceRecordingsQuery = (id: string, state: SourceRecordingState | undefined) =>
  infiniteQueryOptions({
    queryKey: [...sourcesKey, id, "recordings", state ?? ""],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: ADMIN_PAGE, ...(pageParam && { cursor: pageParam }), ...(state && { state }) };
      return call(api.GET("/api/v1/me/sources/{id}/recordings", { params: { path: { id }, query }, signal }));
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some((item) => item.state === "waiting")) ? BUSY_EVERY_MS : false,
  });

export const useCreateSource = () =>
  useActionOn(sourcesKey, (body: SourceForm) => call(api.POST("/api/v1/me/sources", { body })));

export const useUpdateSource = () =>
  useActionOn(sourcesKey, ({ id, form }: { id: string; form: SourceForm }) =>
    call(api.PUT("/api/v1/me/sources/{id}", { params: { path: { id } }, body: form })),
  );

export const useDeleteSource = () =>
  useActionOn(sourcesKey, (id: string) => call(api.DELETE("/api/v1/me/sources/{id}", { params: { path: { id } } })));

export const useCheckSource = () =>
  useActionOn(sourcesKey, (id: string) => call(api.POST("/api/v1/me/sources/{id}/check", { params: { path: { id } } })));

export const useStartSourceRecording = (id: string) =>
  useActionOn(sourcesKey, (recording_id: string) =>
    call(api.POST("/api/v1/me/sources/{id}/recordings/{recording_id}/start", { params: { path: { id, recording_id } } })),
  );
