/** Transfers whose client is fetched with the first of them: the page can be used before it is there. */
import { createPart, type Part } from "@/lib/part";
import { patiently } from "./patiently";
import { fileKey, fingerprint, forgetUploads, type StartTransfer, type Transfer, type TransferOptions } from "./tus-uploads";

const client = createPart(async () => (await import("./tus-client")).startTusTransfer);

/** Fetches the client before there is a file. */
export const loadTransferClient = client.load;

export const startTransfer: StartTransfer = (options) => startWhenThere(client, options);

/** A transfer that begins as soon as its client can be had; before that it can be paused, resumed and cancelled as well. */
export function startWhenThere({ get, load }: Pick<Part<StartTransfer>, "get" | "load">, options: TransferOptions): Transfer {
  const ready = get();
  if (ready) return ready(options);
  const waiting = new AbortController();
  let transfer: Transfer | null = null;
  let paused = false;

  // A line that is lost just now is waited for, as it is in the middle of a transfer.
  patiently(load, { mayPass: () => true, onWaiting: () => !paused && options.events.onWaiting(), signal: waiting.signal }).then(
    (start) => {
      if (waiting.signal.aborted) return;
      transfer = start(options);
      // It learns where it was before it pauses, so that it can be removed at the server, too.
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
