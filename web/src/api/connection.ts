/**
 * Whether the server is reachable. A request without a response raises a suspicion; the server is then asked once more
 * before the state changes, and from then on until it answers.
 */
import { createStore, type StoreApi } from "zustand/vanilla";

/** `offline`: this device has no network; `away`: the server does not answer. */
export type ConnectionStatus = "up" | "offline" | "away";

/** Delays between checks in ms; the last one repeats. */
export const RECHECK_MS = [1_000, 2_000, 4_000, 8_000, 15_000] as const;

export interface ConnectionParts {
  /** Asks the server whether it is ready. Never rejects. */
  ask: () => Promise<boolean>;
  isOnline: () => boolean;
  /** Source of `online` and `offline` events. */
  events: EventTarget;
}

interface ConnectionState {
  line: ConnectionStatus;
  /** A request has failed, and the server is being checked. */
  doubtful: boolean;
}

export interface Connection extends StoreApi<ConnectionState> {
  /** A request got no response, or one that says that the server is unavailable. */
  failed: () => void;
  /** The server has answered a request. */
  answered: () => void;
}

export function createConnection({ ask, isOnline, events }: ConnectionParts): Connection {
  const store = createStore<ConnectionState>()(() => ({ line: isOnline() ? "up" : "offline", doubtful: false }));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = false;
  let tries = 0;

  const set = (line: ConnectionStatus) => {
    const { line: before, doubtful } = store.getState();
    if (before !== line || doubtful) store.setState({ line, doubtful: false });
  };
  const up = () => {
    clearTimeout(timer);
    tries = 0;
    set("up");
  };
  const scheduleRetry = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), RECHECK_MS[Math.min(tries, RECHECK_MS.length - 1)]);
    tries += 1;
  };
  const look = async () => {
    if (asking) return;
    asking = true;
    const reachable = await ask();
    asking = false;
    if (reachable) return up();
    set(isOnline() ? "away" : "offline");
    scheduleRetry();
  };

  events.addEventListener("offline", () => {
    set("offline");
    tries = 0;
    scheduleRetry();
  });
  events.addEventListener("online", () => void look());
  if (!isOnline()) scheduleRetry();

  return Object.assign(store, {
    failed: () => {
      if (store.getState().line !== "up") return;
      if (!store.getState().doubtful) store.setState({ doubtful: true });
      void look();
    },
    answered: () => {
      const { line, doubtful } = store.getState();
      if (line !== "up" || doubtful) up();
    },
  });
}

/** `/readyz` has no rate limit. Any response other than "unavailable" means that the server is reachable. */
async function askServer(): Promise<boolean> {
  try {
    const response = await fetch(new URL("/readyz", location.origin), { cache: "no-store", signal: AbortSignal.timeout(10_000) });
    return !isUnavailable(response.status, await codeOf(response));
  } catch {
    return false;
  }
}

async function codeOf(response: Response): Promise<string | null> {
  if (response.status !== 503 || !response.headers.get("content-type")?.includes("json")) return null;
  const body = (await response.json().catch(() => null)) as { code?: string } | null;
  return body?.code ?? null;
}

/** Whether a response with this status comes from a proxy without its server, or from a server that is not ready. */
export const isUnavailable = (status: number, code: string | null): boolean =>
  status === 0 || status === 502 || status === 504 || (status === 503 && (code === null || code === "unavailable"));

export const connection = createConnection({ ask: askServer, isOnline: () => navigator.onLine, events: window });
