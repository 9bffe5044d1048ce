/** Requests for shared links of a transcript. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, call } from "@/api";
import type { Visitors } from "./visitors";

const sharesKey = (id: string) => ["shares", id] as const;

export const sharesQuery = (id: string) =>
  queryOptions({
    queryKey: sharesKey(id),
    queryFn: ({ signal }) => call(api.GET("/api/v1/jobs/{id}/shares", { params: { path: { id } }, signal })),
    staleTime: 0,
  });

export interface NewShare extends Visitors {
  /** RFC 3339; null: until it is withdrawn. */
  expires_at: string | null;
  /** Null: no password. */
  password: string | null;
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

/** Changes what visitors can see and do. */
export function useChangeShare(id: string, shareId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Visitors) =>
      call(api.PUT("/api/v1/jobs/{id}/shares/{share_id}", { params: { path: { id, share_id: shareId } }, body })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sharesKey(id), exact: true }),
  });
}

/** Null removes the password; if visitors can edit, this requires the owner's confirmation. */
export function useSharePassword(id: string, shareId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { password: string | null; edit_without_password: boolean }) =>
      call(
        api.PUT("/api/v1/jobs/{id}/shares/{share_id}/password", {
          params: { path: { id, share_id: shareId } },
          body,
        }),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: sharesKey(id), exact: true }),
  });
}

export const openingsQuery = (id: string, shareId: string) =>
  queryOptions({
    queryKey: [...sharesKey(id), shareId, "openings"],
    queryFn: ({ signal }) =>
      call(api.GET("/api/v1/jobs/{id}/shares/{share_id}/openings", { params: { path: { id, share_id: shareId } }, signal })),
    staleTime: 0,
  });

const commentsKey = (id: string) => ["share-comments", id] as const;

export const commentsQuery = (id: string) =>
  queryOptions({
    queryKey: commentsKey(id),
    queryFn: ({ signal }) => call(api.GET("/api/v1/jobs/{id}/comments", { params: { path: { id } }, signal })),
    staleTime: 0,
  });

/** Null deletes the answer. */
export function useAnswer(id: string, commentId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (answer: string | null) =>
      call(
        api.PUT("/api/v1/jobs/{id}/comments/{comment_id}/answer", {
          params: { path: { id, comment_id: commentId } },
          body: { answer },
        }),
      ),
    onSettled: () => queryClient.invalidateQueries({ queryKey: commentsKey(id) }),
  });
}

export function useDeleteComment(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (commentId: string) =>
      call(api.DELETE("/api/v1/jobs/{id}/comments/{comment_id}", { params: { path: { id, comment_id: commentId } } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: commentsKey(id) }),
  });
}
