/** Retries while the server is unreachable, for transfers and the requests after them. */

/** Retry delays in ms after a lost connection, about an hour in total; after that the reader has to press Resume. */
export const RETRY_MS: readonly number[] = [500, 1_000, 2_000, 4_000, 8_000, ...Array<number>(240).fill(15_000)];

interface RetryOptions {
  /** Whether a retry may help. */
  isTransient: (error: unknown) => boolean;
  /** Called before each pause. */
  onWaiting: () => void;
  signal: AbortSignal;
}

/** Repeats `act` until it succeeds, fails permanently, or has failed for an hour; then it throws the last error. */
export async function retryWhileUnreachable<T>(
  act: () => Promise<T>,
  { isTransient: mayPass, onWaiting, signal }: RetryOptions,
): Promise<T> {
  for (const delay of RETRY_MS) {
    try {
      return await act();
    } catch (error) {
      if (signal.aborted || !mayPass(error)) {
        throw error;
      }
    }
    onWaiting();
    await pause(delay, signal);
    signal.throwIfAborted();
  }
  return await act();
}

/** Ends early when the network is back or the wait is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      globalThis.removeEventListener?.("online", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    globalThis.addEventListener?.("online", end);
    signal.addEventListener("abort", end);
  });
}
