/** Starts and observes a run of the synchronisation with the external database, and reports its end. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { type NocodbRun, nocodbSyncQuery, useSyncNocodb } from "@/api/nocodb";

interface RunCallbacks {
  /** Which runs are reported: every one that was seen running, or only those started here. */
  whose: "every" | "own";
  /** An observed run has ended. */
  ended: (run: NocodbRun) => void;
  /** The run could not be started. */
  refused: (error: unknown) => void;
}

/** Starts a run, and reports once how an observed one has ended. */
export function useNocodbRun({ whose, ended, refused }: RunCallbacks): { busy: boolean; start: () => void } {
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
      const started = await sync.mutateAsync();
      setWatched(started.run?.id ?? null);
    } catch (error) {
      refused(error);
    }
  };
  return { busy: sync.isPending || (watched !== null && run?.id === watched), start: () => void start() };
}
