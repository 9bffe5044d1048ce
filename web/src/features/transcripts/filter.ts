/** The list's search and status as the address holds them. */
import type { JobStatus } from "@/api";
import type { JobFilter } from "@/api/jobs";

/** A status that is not offered counts as none: the address can hold anything. */
export function parseFilter(params: URLSearchParams, offered: readonly JobStatus[]): JobFilter {
  const q = params.get("q")?.trim();
  const status = offered.find((one) => one === params.get("status"));
  return { ...(q && { q }), ...(status && { status }) };
}
