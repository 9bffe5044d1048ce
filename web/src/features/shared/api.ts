/** The one call of a shared page: no session goes with it. */
import { queryOptions } from "@tanstack/react-query";
import { ApiError, call, openApi } from "@/api";

/** Withdrawn, run out, or never there: the server does not say which. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && (error.status === 404 || error.status === 400);

export const sharedQuery = (token: string) =>
  queryOptions({
    queryKey: ["shared", token],
    queryFn: ({ signal }) => call(openApi.GET("/api/v1/shared/{token}", { params: { path: { token } }, signal })),
    // Each answer has another link to the recording, and counts as an opening: it is asked for when the link has run out.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: (count, error) => !isGone(error) && count < 2,
  });
