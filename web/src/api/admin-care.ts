/** Backups of the server, and its check. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "./client";

export type { BackupRun, Backups, DoctorFinding, DoctorReport } from "./schema";

const backupsKey = ["admin", "backups"] as const;
/** Polling interval while a backup is being made, in ms. */
const WATCH_MS = 2_000;

/** How backups are made, and the last runs; polled while one goes on. */
export const backupsQuery = () =>
  queryOptions({
    queryKey: backupsKey,
    queryFn: ({ signal }) => call(api.GET("/api/v1/admin/backups", { signal })),
    refetchInterval: ({ state }) => (state.data?.running ? WATCH_MS : false),
  });

export function useStartBackup() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => call(api.POST("/api/v1/admin/backups")),
    onSuccess: (backups) => queryClient.setQueryData(backupsKey, backups),
  });
}

export const useExamination = () => useMutation({ mutationFn: () => call(api.GET("/api/v1/admin/doctor")) });
