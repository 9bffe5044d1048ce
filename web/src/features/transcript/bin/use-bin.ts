/** The lines removed from the text of a page, except those already restored. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { useStore } from "zustand";
import type { RemovedLine } from "@/api";
import type { Workspace } from "../workspace";
import { binQuery } from "./api";

const NOTHING: readonly RemovedLine[] = [];

/** Empty if nothing was removed, or without access: only the owner has it. */
export function useBin({ job, document, editable }: Workspace): readonly RemovedLine[] {
  const version = useStore(document, (state) => state.version);
  const positions = useStore(document, (state) => state.positions);
  const seq = useStore(document, (state) => state.seq);
  const options = binQuery(job.my_job_id, version);
  const { data } = useQuery({ ...options, enabled: editable, retry: false });
  useRefetch(options.queryKey, positions, seq);
  return useMemo(() => data?.lines.filter(({ id }) => !positions.has(id)) ?? NOTHING, [data, positions]);
}

/** Lines are removed and restored on the page first: the list is refetched once the server has stored that. */
function useRefetch(queryKey: readonly unknown[], positions: ReadonlyMap<string, number>, seq: number): void {
  const queryClient = useQueryClient();
  const lastPositions = useRef(positions);
  const waits = useRef(false);
  const [, id, version] = queryKey;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each stored edit may be the one that moved the lines
  useEffect(() => {
    const moved = lastPositions.current !== positions;
    if (moved || waits.current) {
      lastPositions.current = positions;
      waits.current = moved && !waits.current;
      void queryClient.invalidateQueries({ queryKey: ["line-bin", id, version] });
    }
  }, [positions, seq, id, version, queryClient]);
}
