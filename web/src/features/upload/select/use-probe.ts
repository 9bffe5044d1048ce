import { useEffect, useRef, useState } from "react";
import type { UrlProbe } from "@/api";
import { probeUrl } from "../api";

/** The state of the probe of the URL in the field. */
export type ProbeState =
  | { step: "idle" }
  | { step: "asking"; url: string }
  | { step: "found"; url: string; found: UrlProbe }
  | { step: "failed"; url: string; error: unknown };

interface Probe {
  state: ProbeState;
  ask: (url: string) => void;
  /** Cancels the probe and clears its result. */
  reset: () => void;
}

/** Probes a URL; one request at a time, and none after the page is left. */
export function useProbe(): Probe {
  const [state, setState] = useState<ProbeState>({ step: "idle" });
  const asking = useRef<AbortController>(null);
  useEffect(() => () => asking.current?.abort(), []);

  const ask = (url: string) => {
    asking.current?.abort();
    const controller = new AbortController();
    asking.current = controller;
    setState({ step: "asking", url });
    const tell = (next: ProbeState) => !controller.signal.aborted && setState(next);
    probeUrl(url, controller.signal).then(
      (found) => tell({ step: "found", url, found }),
      (error: unknown) => tell({ step: "failed", url, error }),
    );
  };

  const reset = () => {
    asking.current?.abort();
    setState({ step: "idle" });
  };

  return { state, ask, reset };
}
