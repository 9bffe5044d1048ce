/**
 * Renews the access token in time while the page is looked at, so that a long read does not end in an expired session.
 * A hidden page lets its token run out; the first request, or the reader's return, renews it then.
 */
import type { createSessionKeeper } from "./session";

/** After a renewal that failed for a reason that may pass: the network, a busy server. */
const RETRY_MS = 30_000;
/** However short a token's life, the server is not asked more often than this. */
const SHORTEST_WAIT_MS = 1_000;

interface ClockSurroundings {
  page: Pick<Document, "visibilityState" | "addEventListener">;
  /** Where the browser says that the network is back. */
  events: Pick<Window, "addEventListener">;
  now: () => number;
}

type Keeper = Pick<ReturnType<typeof createSessionKeeper>, "renewalDue" | "keepFresh" | "subscribe">;

export function startSessionClock(keeper: Keeper, around: ClockSurroundings): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let renewing = false;

  function plan(shortestMs: number) {
    clearTimeout(timer);
    const due = keeper.renewalDue();
    if (due === null || around.page.visibilityState === "hidden") return;
    timer = setTimeout(() => void renew(), Math.max(due - around.now(), shortestMs));
  }

  async function renew() {
    // The result is published, and planning restarts from there.
    if (renewing) return;
    renewing = true;
    let wait = SHORTEST_WAIT_MS;
    try {
      await keeper.keepFresh();
    } catch {
      // The session stands; who needs it now sees the failure at their own request.
      wait = RETRY_MS;
    }
    renewing = false;
    plan(wait);
  }

  const planNow = () => plan(0);
  keeper.subscribe(() => {
    if (!renewing) plan(SHORTEST_WAIT_MS);
  });
  around.page.addEventListener("visibilitychange", planNow);
  around.events.addEventListener("online", planNow);
  planNow();
}
