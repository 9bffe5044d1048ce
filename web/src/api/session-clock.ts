/**
 * Refreshes the access token in time while the page is visible, so that the session does not expire during a long read.
 * On a hidden page the token may expire; it is refreshed by the next request or when the page becomes visible.
 */
import type { createSessionKeeper } from "./session";

/** Delay after a temporary failure: the network, or a busy server. */
const RETRY_MS = 30_000;
/** Minimum delay between requests, however short the token's lifetime is. */
const MIN_WAIT_MS = 1_000;

interface ClockSurroundings {
  page: Pick<Document, "visibilityState" | "addEventListener">;
  /** Source of the browser's `online` event. */
  events: Pick<Window, "addEventListener">;
  now: () => number;
}

type SessionKeeper = Pick<ReturnType<typeof createSessionKeeper>, "renewalDue" | "keepFresh" | "subscribe">;

export function startSessionClock(keeper: SessionKeeper, around: ClockSurroundings): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let renewing = false;

  function plan(shortestMs: number) {
    clearTimeout(timer);
    const due = keeper.renewalDue();
    if (due === null || around.page.visibilityState === "hidden") return;
    timer = setTimeout(() => void renew(), Math.max(due - around.now(), shortestMs));
  }

  async function renew() {
    // The result is published, and the next refresh is planned from there.
    if (renewing) return;
    renewing = true;
    let wait = MIN_WAIT_MS;
    try {
      await keeper.keepFresh();
    } catch {
      // The session is still valid; whoever needs a token sees the error of their own request.
      wait = RETRY_MS;
    }
    renewing = false;
    plan(wait);
  }

  const planNow = () => plan(0);
  keeper.subscribe(() => {
    if (!renewing) plan(MIN_WAIT_MS);
  });
  around.page.addEventListener("visibilitychange", planNow);
  around.events.addEventListener("online", planNow);
  planNow();
}
