/** Uploads without a job. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "./client";
import type { UploadState } from "./schema";

export type { UploadState } from "./schema";

const KEY = ["uploads"] as const;

/** Complete uploads, the newest first. */
export const unstartedUploadsQuery = () =>
  queryOptions({
    queryKey: KEY,
    queryFn: async ({ signal }): Promise<UploadState[]> => {
      const { uploads } = await call(api.GET("/api/v1/uploads", { signal }));
      return uploads.filter(({ complete, error }) => complete && !error);
    },
  });

export function useRemoveUpload() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      call(api.DELETE("/api/v1/uploads/{id}", { params: { path: { id }, header: { "Tus-Resumable": "1.0.0" } } })),
    // An upload that is already gone is removed from the list, too.
    onSettled: () => client.invalidateQueries({ queryKey: KEY }),
  });
}
