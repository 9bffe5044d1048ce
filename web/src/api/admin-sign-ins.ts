/** Successful and failed sign-ins. */
import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { midnight } from "@/lib/local-day";
import { api, call } from "./client";
import type { SignInOutcome } from "./schema";

export type { SignIn, SignInCount, SignInOutcome } from "./schema";

export interface SignInFilter {
  /** Part of an e-mail address or a network address. */
  search?: string;
  outcome?: SignInOutcome;
  /** The first day and the last one, as `2026-11-21`, in the reader's time zone. */
  from?: string;
  to?: string;
}

const queryOf = ({ from, to, ...rest }: SignInFilter) => ({
  ...rest,
  ...(from && { from: midnight(from) }),
  ...(to && { to: midnight(to, 1) }),
});

/** The newest first, page by page. */
export const signInsQuery = (filter: SignInFilter) =>
  infiniteQueryOptions({
    queryKey: ["admin", "sign-ins", filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        api.GET("/api/v1/admin/sign-ins", {
          params: { query: { ...queryOf(filter), ...(pageParam === null ? {} : { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });
