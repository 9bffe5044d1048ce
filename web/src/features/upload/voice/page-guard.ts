/**
 * While recording, the screen stays on, and the page asks before it is closed. Recording continues on other pages of
 * the app, so this belongs to the recording and not to a component.
 */
import type { RecordingPhase, RecordingStore } from "./recording-state";

const UNFINISHED: readonly RecordingPhase[] = ["recording", "paused", "using"];

/** `wakeLock` is undefined if the browser does not support it. Returns a function that ends it. */
export function guardPage(
  store: Pick<RecordingStore, "getState" | "subscribe">,
  page: Pick<Window, "addEventListener" | "removeEventListener" | "document">,
  wakeLock: Pick<WakeLock, "request"> | undefined,
): () => void {
  const screen = keepScreenOn(page.document, wakeLock);
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  let before: RecordingPhase = "idle";

  const follow = () => {
    const { phase } = store.getState();
    if (phase === before) {
      return;
    }
    before = phase;
    if (UNFINISHED.includes(phase)) {
      page.addEventListener("beforeunload", ask);
    } else {
      page.removeEventListener("beforeunload", ask);
    }
    screen.want(phase === "recording");
  };

  follow();
  const unsubscribe = store.subscribe(follow);
  return () => {
    unsubscribe();
    page.removeEventListener("beforeunload", ask);
    screen.want(false);
  };
}

/** The browser releases the lock when the page is hidden, and refuses it when the battery is low. */
function keepScreenOn(document: Document, wakeLock: Pick<WakeLock, "request"> | undefined) {
  let enabled = false;
  let asking = false;
  let lock: WakeLockSentinel | null = null;

  const hold = async () => {
    const isLocked = lock !== null && !lock.released;
    if (!wakeLock || !enabled || asking || isLocked || document.visibilityState !== "visible") {
      return;
    }
    asking = true;
    lock = await wakeLock.request("screen").catch(() => null);
    asking = false;
    if (!enabled) {
      release();
    }
  };
  const release = () => {
    void lock?.release().catch(() => {});
    lock = null;
  };
  const reacquire = () => void hold();

  return {
    want(next: boolean) {
      enabled = next;
      if (enabled) {
        document.addEventListener("visibilitychange", reacquire);
        reacquire();
      } else {
        document.removeEventListener("visibilitychange", reacquire);
        release();
      }
    },
  };
}
