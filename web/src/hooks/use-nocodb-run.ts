/** One run of the synchronisation with the external database: it is begun, watched, and its end told. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { type NocodbRun, nocodbSyncQuery, useSyncNocodb } from "@/api/nocodb";

interface Watch {
  /** Which runs are told: every one that is seen at work, or those that were begun here. */
  whose: "every" | "own";
  /** A watched run has ended. */
  ended: (run: NocodbRun) => void;
  /** No run could be begun. */
  refused: (error: unknown) => void;
}

/** Begins a run, and tells once how a watched one has ended. */
export function useNocodbRun({ whose, ended, refused }: Watch): { busy: boolean; start: () => void } {
  const run = useQuery(nocodbSyncQuery()).data?.run ?? null;
  const sync = useSyncNocodb();
  const [watched, setWatched] = useState<string | null>(null);
  if (whose === "every" && run?.status === "running" && run.id !== watched) setWatched(run.id);

  const tell = useEffectEvent((run: NocodbRun) => {
    setWatched(null);
    ended(run);
  });
  useEffect(() => {
    if (run && run.id === watched && run.status !== "running") tell(run);
  }, [run, watched]);

  const start = async () => {
    try {
      const begun = await sync.mutateAsync();
      setWatched(begun.run?.id ?? null);
    } catch (error) {
      refused(error);
    }
  };
  return { busy: sync.isPending || (watched !== null && run?.id === watched), start: () => void start() };
}
