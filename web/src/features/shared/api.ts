/** The calls of a shared page: no session goes with them, only what the link itself has given. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, call, type Edit, openApi, type SharedEditSaved } from "@/api";
import { dropGrant, keepGrant, keptGrant } from "./grant";

/** Withdrawn, run out, or never there: the server does not say which. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && (error.status === 404 || error.status === 400);

/** The link asks for a password, or for another one than was given. */
export const isLocked = (error: unknown): boolean => error instanceof ApiError && error.code === "share_password_required";

const params = (token: string) => {
  const grant = keptGrant(token);
  return { path: { token }, ...(grant !== undefined && { header: { "Share-Grant": grant } }) };
};

export const sharedQuery = (token: string) =>
  queryOptions({
    queryKey: ["shared", token],
    queryFn: async ({ signal }) => {
      try {
        const shared = await call(openApi.GET("/api/v1/shared/{token}", { params: params(token), signal }));
        keepGrant(token, shared.grant);
        return shared;
      } catch (error) {
        if (isLocked(error)) dropGrant(token);
        throw error;
      }
    },
    // Each answer has another link to the recording: it is asked for when the link has run out.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: (count, error) => !isGone(error) && !isLocked(error) && count < 2,
  });

/** Gives the link's password; the text is read as soon as it is the right one. */
export function useUnlock(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (password: string) => {
      const body = { password };
      const { grant } = await call(openApi.POST("/api/v1/shared/{token}/unlock", { params: { path: { token } }, body }));
      keepGrant(token, grant);
    },
    onSuccess: () => queryClient.resetQueries({ queryKey: sharedQuery(token).queryKey, exact: true }),
    // A link that went meanwhile is shown as gone.
    onError: (error) => {
      if (isGone(error)) void queryClient.resetQueries({ queryKey: sharedQuery(token).queryKey, exact: true });
    },
  });
}

/** The link's right is another one now, or it has ended: what is sent is not taken any more. */
export const endsEditing = (error: unknown): boolean =>
  isGone(error) || isLocked(error) || (error instanceof ApiError && error.code === "edits_not_allowed");

interface Sent {
  version: number;
  name: string;
}

/** Corrects a line or a name. Sent again with the same id it is stored once. */
export const sendEdit = async (token: string, body: Sent & { edit: Edit }): Promise<SharedEditSaved> =>
  granted(token, await call(openApi.POST("/api/v1/shared/{token}/edits", { params: params(token), body })));

/** Takes back the last edit of this visit. */
export const undoEdit = async (token: string, body: Sent & { edit_id: string }): Promise<SharedEditSaved> =>
  granted(token, await call(openApi.POST("/api/v1/shared/{token}/edits/undo", { params: params(token), body })));

function granted(token: string, saved: SharedEditSaved): SharedEditSaved {
  keepGrant(token, saved.grant);
  return saved;
}

export const commentsQuery = (token: string) =>
  queryOptions({
    queryKey: ["shared", token, "comments"],
    queryFn: ({ signal }) => call(openApi.GET("/api/v1/shared/{token}/comments", { params: params(token), signal })),
    staleTime: 30_000,
    refetchOnWindowFocus: true,
    retry: false,
  });

export interface NewComment {
  /** A comment that is sent again is stored once. */
  id: string;
  segment: string;
  name: string;
  text: string;
}

export function useComment(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: NewComment) => call(openApi.POST("/api/v1/shared/{token}/comments", { params: params(token), body })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: commentsQuery(token).queryKey }),
  });
}
