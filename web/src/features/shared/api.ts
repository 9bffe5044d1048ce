/** Requests of a shared page: without a session, authorised by the link only. */
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, call, type Edit, openApi, type SharedEditSaved } from "@/api";
import { dropGrant, storedGrant, storeGrant } from "./grant";

/** Withdrawn, expired, or unknown: the server does not tell which. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && (error.status === 404 || error.status === 400);

/** The link requires a password, or a different one. */
export const isLocked = (error: unknown): boolean => error instanceof ApiError && error.code === "share_password_required";

const params = (token: string) => {
  const grant = storedGrant(token);
  return { path: { token }, ...(grant !== undefined && { header: { "Share-Grant": grant } }) };
};

export const sharedQuery = (token: string) =>
  queryOptions({
    queryKey: ["shared", token],
    queryFn: async ({ signal }) => {
      try {
        const shared = await call(openApi.GET("/api/v1/shared/{token}", { params: params(token), signal }));
        storeGrant(token, shared.grant);
        return shared;
      } catch (error) {
        if (isLocked(error)) dropGrant(token);
        throw error;
      }
    },
    // Each response has a new link to the recording: it is refetched when that link has expired.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: (count, error) => !isGone(error) && !isLocked(error) && count < 2,
  });

/** Submits the link's password; the text is loaded if it is correct. */
export function useUnlock(token: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (password: string) => {
      const body = { password };
      const { grant } = await call(openApi.POST("/api/v1/shared/{token}/unlock", { params: { path: { token } }, body }));
      storeGrant(token, grant);
    },
    onSuccess: () => queryClient.resetQueries({ queryKey: sharedQuery(token).queryKey, exact: true }),
    // A link that was withdrawn meanwhile is shown as gone.
    onError: (error) => {
      if (isGone(error)) void queryClient.resetQueries({ queryKey: sharedQuery(token).queryKey, exact: true });
    },
  });
}

/** The link's rights have changed, or it has ended: edits are no longer accepted. */
export const endsEditing = (error: unknown): boolean =>
  isGone(error) || isLocked(error) || (error instanceof ApiError && error.code === "edits_not_allowed");

interface EditRequestBase {
  version: number;
  name: string;
}

/** Edits a line or a name. Repeating the request with the same id stores it once. */
export const sendEdit = async (token: string, body: EditRequestBase & { edit: Edit }): Promise<SharedEditSaved> =>
  granted(token, await call(openApi.POST("/api/v1/shared/{token}/edits", { params: params(token), body })));

/** Undoes the last edit of this visit. */
export const undoEdit = async (token: string, body: EditRequestBase & { edit_id: string }): Promise<SharedEditSaved> =>
  granted(token, await call(openApi.POST("/api/v1/shared/{token}/edits/undo", { params: params(token), body })));

function granted(token: string, saved: SharedEditSaved): SharedEditSaved {
  storeGrant(token, saved.grant);
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
  /** Repeating the request with the same id stores the comment once. */
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
