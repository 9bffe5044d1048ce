/** The unstarted uploads that match the list's filter. */
import type { JobFilter } from "@/api/jobs";
import type { UploadState } from "@/api/uploads";
import { midnight } from "@/lib/local-day";

/** Unstarted uploads have neither mode nor language, so they never match these filters. */
export function unstartedWithin(uploads: readonly UploadState[], { q = "", mode, language, from, to }: JobFilter): UploadState[] {
  if (mode || language) return [];
  const name = q.toLowerCase();
  const since = from ? Date.parse(midnight(from)) : Number.NEGATIVE_INFINITY;
  const until = to ? Date.parse(midnight(to, 1)) : Number.POSITIVE_INFINITY;
  return uploads.filter(({ filename, created_at }) => {
    const began = Date.parse(created_at);
    return filename.toLowerCase().includes(name) && began >= since && began < until;
  });
}
