/** Transfers whose client is loaded with the first one: the page can be used before. */
import { createPart, type Part } from "@/lib/part";
import { retryWhileUnreachable } from "./retry-while-unreachable";
import { fileKey, fingerprint, forgetUploads, type StartTransfer, type Transfer, type TransferOptions } from "./tus-uploads";

const client = createPart(async () => (await import("./tus-client")).startTusTransfer);

/** Preloads the client. */
export const loadTransferClient = client.load;

export const startTransfer: StartTransfer = (options) => startWhenLoaded(client, options);

/** A transfer that starts as soon as its client is loaded; it can be paused, resumed and cancelled before. */
export function startWhenLoaded({ get, load }: Pick<Part<StartTransfer>, "get" | "load">, options: TransferOptions): Transfer {
  const ready = get();
  if (ready) return ready(options);
  const waiting = new AbortController();
  let transfer: Transfer | null = null;
  let paused = false;

  // If the connection is lost now, it is retried, as during a transfer.
  retryWhileUnreachable(load, {
    isTransient: () => true,
    onWaiting: () => !paused && options.events.onWaiting(),
    signal: waiting.signal,
  }).then(
    (start) => {
      if (waiting.signal.aborted) return;
      transfer = start(options);
      // It gets its URL before it pauses, so that it can also be removed from the server.
      if (paused) transfer.pause();
    },
    () => {
      if (!waiting.signal.aborted) options.events.onFailed({ status: null, body: "" });
    },
  );

  return {
    pause: () => {
      paused = true;
      transfer?.pause();
    },
    resume: () => {
      paused = false;
      transfer?.resume();
    },
    cancel: async () => {
      waiting.abort();
      if (transfer) await transfer.cancel();
      else forgetUploads(fingerprint(options.owner, fileKey(options.file)));
    },
  };
}
