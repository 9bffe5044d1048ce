/** The upload of this tab, wired to the server and to the browser's storage. */
import { ApiError, getAccessToken, onSessionEnd, type Problem } from "@/api";
import { fetchUpload } from "./api";
import { browserShelf } from "./file-shelf";
import { forgetDraft } from "./settings-draft";
import { tryTabLock } from "./tab-lock";
import { forgetUploads, startTransfer, type TransferFailure } from "./tus-transfer";
import { createUploadStore, type UploadFailure } from "./upload-store";

const shelf = browserShelf();

export const theUpload = createUploadStore({
  startTransfer,
  endpoint: () => `${location.origin}/api/v1/uploads`,
  authorize: async () => {
    const token = await getAccessToken();
    return token === null ? {} : { Authorization: `Bearer ${token}` };
  },
  inspect: fetchUpload,
  explain: explainRefusal,
  explainError: (error) => ({ code: error instanceof ApiError ? error.code : null, params: {}, violations: [] }),
  shelf,
  lock: tryTabLock,
  forget: forgetUploads,
  now: () => performance.now(),
});

/** The next person at this browser must find nothing of this one. */
onSessionEnd(() => {
  void theUpload.getState().discard();
  void shelf.clear();
  forgetUploads();
  forgetDraft();
});

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
