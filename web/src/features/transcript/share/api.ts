/** The calls of the links by which others read a transcript. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api";

const sharesKey = (id: string) => ["shares", id] as const;

export const sharesQuery = (id: string) =>
  queryOptions({
    queryKey: sharesKey(id),
    queryFn: ({ signal }) => call(api.GET("/api/v1/jobs/{id}/shares", { params: { path: { id } }, signal })),
    staleTime: 0,
  });

export interface NewShare {
  /** RFC 3339; null: until it is withdrawn. */
  expires_at: string | null;
  with_media: boolean;
}

export function useCreateShare(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewShare) => call(api.POST("/api/v1/jobs/{id}/shares", { params: { path: { id } }, body })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sharesKey(id) }),
  });
}

export function useWithdrawShare(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (shareId: string) =>
      call(api.DELETE("/api/v1/jobs/{id}/shares/{share_id}", { params: { path: { id, share_id: shareId } } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sharesKey(id) }),
  });
}
