/** The external database: configuration, test and synchronisation by administrators. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "./client";
import type { NocodbPlace, NocodbState, NocodbSync } from "./schema";

export type { NocodbConflict, NocodbPlace, NocodbProblem, NocodbRun, NocodbState, NocodbStats, NocodbTest } from "./schema";

const stateKey = ["admin", "nocodb"] as const;
const syncKey = ["admin", "nocodb", "sync"] as const;

/** Polling interval while a run is in progress, in ms. */
const WATCH_MS = 1_000;

export const nocodbQuery = () =>
  queryOptions({
    queryKey: stateKey,
    queryFn: ({ signal }) => call(api.GET("/api/v1/admin/nocodb", { signal })),
  });

/** The current or last run, polled until it has ended. */
export const nocodbSyncQuery = () =>
  queryOptions({
    queryKey: syncKey,
    queryFn: ({ signal }) => call(api.GET("/api/v1/admin/nocodb/sync", { signal })),
    refetchInterval: ({ state }) => (state.data?.run?.status === "running" ? WATCH_MS : false),
  });

export function useConfigureNocodb() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NocodbPlace) => call(api.PUT("/api/v1/admin/nocodb", { body })),
    onSuccess: (state: NocodbState) => queryClient.setQueryData(stateKey, state),
  });
}

/** Tests the connection, or creates missing tables and fields and then tests. */
export function useTestNocodb(action: "test" | "prepare") {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () =>
      action === "test" ? call(api.POST("/api/v1/admin/nocodb/test")) : call(api.POST("/api/v1/admin/nocodb/prepare")),
    onSettled: () => queryClient.invalidateQueries({ queryKey: stateKey, exact: true }),
  });
}

export function useSyncNocodb() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(api.POST("/api/v1/admin/nocodb/sync")),
    onSuccess: (sync: NocodbSync) => queryClient.setQueryData(syncKey, sync),
  });
}

/** Synchronises the external database, if there is one: once per load of the dashboard. */
export const loadSyncQuery = () =>
  queryOptions({
    queryKey: ["me", "sync"],
    queryFn: ({ signal }) => call(api.POST("/api/v1/me/sync", { signal })),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
