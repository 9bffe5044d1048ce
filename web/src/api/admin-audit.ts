/** The audit log of administrators' changes. */
import { infiniteQueryOptions, keepPreviousData } from "@tanstack/react-query";
import { midnight } from "@/lib/local-day";
import { api, call } from "./client";
import { saveTable } from "./table-file";

export type { AuditEntry } from "./schema";

export interface AuditFilter {
  /** Part of an address or a name. */
  search?: string;
  /** `plan.update`, or `plan` for all actions on plans. */
  action?: string;
  /** The first day and the last one, as `2026-11-21`, in the reader's time zone. */
  from?: string;
  to?: string;
}

const queryOf = ({ from, to, ...rest }: AuditFilter) => ({
  ...rest,
  ...(from && { from: midnight(from) }),
  ...(to && { to: midnight(to, 1) }),
});

/** The newest first, page by page. */
export const auditQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ["admin", "audit", filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        api.GET("/api/v1/admin/audit", {
          params: { query: { ...queryOf(filter), ...(pageParam === null ? {} : { cursor: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  });

export const saveAudit = (filter: AuditFilter): Promise<void> =>
  saveTable(`/api/v1/admin/audit/export?${new URLSearchParams(queryOf(filter))}`, "audit");
