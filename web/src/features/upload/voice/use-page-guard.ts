/** While it records: the screen stays on, and the page asks before it is closed. */
import { useEffect } from "react";
import { useStore } from "zustand";
import { theRecording } from "./the-recording";

export function usePageGuard(): void {
  const phase = useStore(theRecording, (state) => state.phase);
  const recording = phase === "recording";
  const unfinished = recording || phase === "paused" || phase === "using";

  useEffect(() => {
    if (!unfinished) {
      return;
    }
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [unfinished]);

  useEffect(() => {
    if (!recording || !("wakeLock" in navigator)) {
      return;
    }
    let lock: WakeLockSentinel | null = null;
    let over = false;
    const hold = async () => {
      // The browser drops it when the page is hidden, and refuses it when the battery is low.
      const got = document.visibilityState === "visible" ? await navigator.wakeLock.request("screen").catch(() => null) : null;
      if (over) {
        void got?.release();
      } else {
        lock = got ?? lock;
      }
    };
    const holdAgain = () => void hold();
    holdAgain();
    document.addEventListener("visibilitychange", holdAgain);
    return () => {
      over = true;
      document.removeEventListener("visibilitychange", holdAgain);
      void lock?.release();
    };
  }, [recording]);
}
