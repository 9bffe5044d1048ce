/** The account's targets: folders elsewhere in which its texts are kept up to date. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { ADMIN_PAGE } from "@/rules/constants";
import { api, call } from "./client";
import type { TargetFileState, TargetForm } from "./schema";
import { useActionOn } from "./webhook-deliveries";

export type { Target, TargetFile, TargetFileState, TargetForm, TargetFormat, TargetKind, TargetList } from "./schema";

const targetsKey = ["targets"] as const;

/** Polling interval in ms while something is written. */
const BUSY_EVERY_MS = 3_000;
/** Polling interval in ms otherwise: texts are written by themselves. */
const QUIET_EVERY_MS = 30_000;

/** The targets, the oldest first, and what the account may add. */
export const targetsQuery = () =>
  queryOptions({
    queryKey: targetsKey,
    queryFn: ({ signal }) => call(api.GET("/api/v1/me/targets", { signal })),
    staleTime: 0,
    refetchInterval: ({ state }) => {
      const isBusy = state.data?.targets.some((one) => one.is_running || (one.is_active && one.counts.waiting > 0));
      return isBusy ? BUSY_EVERY_MS : QUIET_EVERY_MS;
    },
  });

/** The files of a target, those of the newest recordings first. */
export const targetFilesQuery = (id: string, state: TargetFileState | undefined) =>
  infiniteQueryOptions({
    queryKey: [...targetsKey, id, "files", state ?? ""],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: ADMIN_PAGE, ...(pageParam && { cursor: pageParam }), ...(state && { state }) };
      return call(api.GET("/api/v1/me/targets/{id}/files", { params: { path: { id }, query }, signal }));
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.items.some((item) => item.state === "waiting")) ? BUSY_EVERY_MS : false,
  });

export const useCreateTarget = () =>
  useActionOn(targetsKey, (body: TargetForm) => call(api.POST("/api/v1/me/targets", { body })));

export const useUpdateTarget = () =>
  useActionOn(targetsKey, ({ id, form }: { id: string; form: TargetForm }) =>
    call(api.PUT("/api/v1/me/targets/{id}", { params: { path: { id } }, body: form })),
  );

export const useDeleteTarget = () =>
  useActionOn(targetsKey, (id: string) => call(api.DELETE("/api/v1/me/targets/{id}", { params: { path: { id } } })));

export const useRunTarget = () =>
  useActionOn(targetsKey, (id: string) => call(api.POST("/api/v1/me/targets/{id}/run", { params: { path: { id } } })));

export const useWriteTargetFile = (id: string) =>
  useActionOn(targetsKey, (job_id: string) =>
    call(api.POST("/api/v1/me/targets/{id}/files/{job_id}/write", { params: { path: { id, job_id } } })),
  );
