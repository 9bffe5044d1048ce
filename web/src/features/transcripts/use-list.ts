/** The state of the list: loaded rows, selection, and loading the next page near the end. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Job } from "@/api";
import { type JobFilter, jobListQuery } from "@/api/jobs";
import { useDeletedJobs } from "@/hooks/use-undoable-delete";
import { EMPTY_SELECTION, keepVisible, type Selection, toggled, toggledAll } from "./selection";
import type { Sort } from "./sorting";

/** Properties of the table and the cards. */
export interface ListProps {
  /** Undefined while loading. */
  jobs: readonly Job[] | undefined;
  selection: Selection;
  onToggle: (id: string, reach: boolean) => void;
  onToggleAll: () => void;
  /** The row with the focus, which stays mounted. */
  kept: number | undefined;
  sort: Sort;
  onSort: (sort: Sort) => void;
}

/** How far below the window the next page is loaded. */
const AHEAD = "0px 0px 800px 0px";

export function useList(filter: JobFilter, sort: Sort) {
  const list = useInfiniteQuery(jobListQuery(filter, sort));
  const deleted = useDeletedJobs();
  const [selection, setSelection] = useState(EMPTY_SELECTION);
  const jobs = useMemo(
    () => list.data?.pages.flatMap((page) => page.items).filter((job) => !deleted.has(job.my_job_id)),
    [list.data, deleted],
  );
  const order = useMemo(() => jobs?.map((job) => job.my_job_id) ?? [], [jobs]);
  const visibleSelection = keepVisible(selection, order);
  return {
    list,
    jobs,
    deleted,
    selection: visibleSelection,
    chosen: jobs?.filter((job) => visibleSelection.ids.has(job.my_job_id)) ?? [],
    toggle: (id: string, reach: boolean) => setSelection(toggled(visibleSelection, order, id, reach)),
    toggleAll: () => setSelection(toggledAll(visibleSelection, order)),
    clear: useCallback(() => setSelection(EMPTY_SELECTION), []),
  };
}

/** Calls `reach` when the element comes near the window, and again after it has settled if it is still there. */
export function useNearEnd(active: boolean, reach: () => void) {
  const end = useRef<HTMLDivElement>(null);
  const run = useRef(reach);
  run.current = reach;
  useEffect(() => {
    if (!active || !end.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        // A busy browser reports several changes at once: the last one counts.
        if (entries.at(-1)?.isIntersecting) run.current();
      },
      { rootMargin: AHEAD },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [active]);
  return end;
}
