/** The upload of this tab, wired to the server and to the browser's storage. */
import { ApiError, getAccessToken, onSessionEnd, onUser, type Problem } from "@/api";
import { tryTabLock } from "@/api/tab-lock";
import type { Settings } from "@/components/settings-fields";
import { forgetDrafts, keepDraft, keepQueued, readDraft, readQueued } from "@/lib/settings-draft";
import { validateSettings } from "@/rules";
import { createJob, fetchUpload } from "./api";
import { browserShelf } from "./file-shelf";
import { forgetUploads, isPassing, startTransfer, type TransferFailure } from "./tus-transfer";
import { createUploadStore, type UploadFailure, type UploadParts } from "./upload-store";

const shelf = browserShelf();

/** Set by the first visit of the page; it knows how to lead the reader on, also from other pages. */
let news: UploadParts["news"] | null = null;

export function hearUploadNews(listener: UploadParts["news"]): void {
  news = listener;
}

export const theUpload = createUploadStore({
  startTransfer,
  endpoint: () => `${location.origin}/api/v1/uploads`,
  authorize: async () => {
    const token = await getAccessToken();
    return token === null ? {} : { Authorization: `Bearer ${token}` };
  },
  inspect: fetchUpload,
  // What is no answer of the server is a line that broke off in the middle of one.
  mayPass: (error) => !(error instanceof ApiError) || error.status === 0 || isPassing(error.status),
  createJob: createCheckedJob,
  queue: {
    keep: (owner, settings) => {
      if (settings) {
        keepDraft(owner, settings);
      }
      keepQueued(owner, settings !== null);
    },
    read: (owner) => (readQueued(owner) ? readDraft(owner) : null),
  },
  news: {
    onStarted: (jobId) => news?.onStarted(jobId),
    onTrouble: (what) => news?.onTrouble(what),
  },
  explain: explainRefusal,
  explainError: (error) => ({ code: error instanceof ApiError ? error.code : null, params: {}, violations: [] }),
  shelf,
  lock: tryTabLock(globalThis.navigator?.locks, localStorage),
  forget: forgetUploads,
  now: () => performance.now(),
});

let suspended = false;

onSessionEnd((reason) => {
  if (reason === "expired") {
    // Who signs in again goes on; everything that is kept is kept under its owner, so nobody else gets it.
    suspended = true;
    theUpload.getState().suspend();
    return;
  }
  // The next person at this browser must find nothing of this one.
  void theUpload.getState().discard();
  void shelf.clear();
  forgetUploads();
  forgetDrafts();
});

onUser((user) => {
  if (user && suspended) {
    suspended = false;
    void theUpload.getState().restore(user.id);
  }
});

/** While the job was put off the settings could be changed; the rules say in time what the server would refuse. */
async function createCheckedJob(uploadId: string, settings: Settings): Promise<string> {
  const violations = validateSettings(settings, "file");
  if (violations.length > 0) {
    throw new ApiError({ status: 0, code: "validation_failed", violations });
  }
  return (await createJob(uploadId, settings)).my_job_id;
}

function explainRefusal({ status, body }: TransferFailure): UploadFailure {
  try {
    const problem = JSON.parse(body) as Partial<Problem> & { params?: Record<string, unknown> };
    if (typeof problem.code === "string") {
      return { code: problem.code, params: problem.params ?? {}, violations: problem.errors ?? [] };
    }
  } catch {
    // A proxy in between answers in its own way; its status has to do.
  }
  return { code: status === 413 ? "upload_too_large" : null, params: {}, violations: [] };
}
