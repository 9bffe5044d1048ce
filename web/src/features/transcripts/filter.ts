/** The list's search and filters, from the URL. */
import type { JobStatus } from "@/api";
import type { JobFilter } from "@/api/jobs";
import { isDay } from "@/lib/local-day";
import { TRANSCRIPTION_TYPES } from "@/rules/constants";

export const FILTER_KEYS = ["q", "status", "mode", "language", "tag", "folder", "from", "to"] as const;

/** Only the format is checked; the server knows whether the tag or folder exists. */
const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The selectable values. */
export interface FilterOptions {
  statuses: readonly JobStatus[];
  languages: readonly string[];
}

/** Unknown values and invalid days are ignored: the URL can hold anything. */
export function parseFilter(params: URLSearchParams, { statuses, languages }: FilterOptions): JobFilter {
  const given = (key: (typeof FILTER_KEYS)[number]) => params.get(key)?.trim() ?? "";
  const q = given("q");
  const status = statuses.find((known) => known === given("status"));
  const mode = TRANSCRIPTION_TYPES.find((type) => type === given("mode"));
  const language = languages.find((known) => known === given("language"));
  const [tag, folder] = [given("tag"), given("folder")].map((id) => (ID.test(id) ? id : ""));
  const [from, to] = [given("from"), given("to")].map((day) => (isDay(day) ? day : ""));
  return {
    ...(q && { q }),
    ...(status && { status }),
    ...(mode && { mode }),
    ...(language && { language }),
    ...(tag && { tag }),
    ...(folder && { folder }),
    ...(from && { from }),
    ...(to && { to }),
  };
}

/** Number of active filters besides search and status. */
export const activeFilterCount = ({ mode, language, tag, folder, from, to }: JobFilter): number =>
  [mode, language, tag, folder, from, to].filter(Boolean).length;
