/** The tray of this tab, connected to the server and to the browser's storage. */
import { ApiError, getAccessToken, onSessionEnd, onUser, type Problem } from "@/api";
import { tryTabLock } from "@/api/tab-lock";
import { forgetDrafts } from "@/domain/settings/settings-draft";
import { setInProgress } from "@/lib/in-progress";
import { validateSettings } from "@/rules";
import { contentViolations } from "./accepted-types";
import { createJob, fetchUpload, type JobSource, removeUpload } from "./api";
import { browserFileDatabase } from "./file-database";
import { createTransferSlots } from "./transfer-slots";
import { uploadsInProgress } from "./tray-in-progress";
import type { TrayListener } from "./tray-items";
import { MAX_SENDING } from "./tray-model";
import { browserTrayStorage } from "./tray-storage";
import { createTray } from "./tray-store";
import { startTransfer } from "./tus-transfer";
import { findUploads, forgetUploads, isTransientStatus, type TransferFailure } from "./tus-uploads";
import type { JobOrder, UploadFailure } from "./upload-model";
import { createUploadStore } from "./upload-store";

const database = browserFileDatabase();
const memory = browserTrayStorage(localStorage);

/** Set by the first visit of the page; it can navigate the reader, also from other pages. */
let appListener: TrayListener | null = null;

export function setTrayListener(listener: TrayListener): void {
  appListener = listener;
}

export const uploadTray = createTray({
  createUpload: (itemParts) =>
    createUploadStore({
      checkContent: contentViolations,
      startTransfer,
      endpoint: () => `${location.origin}/api/v1/uploads`,
      authorize: async () => {
        const token = await getAccessToken();
        return token === null ? {} : { Authorization: `Bearer ${token}` };
      },
      inspect: fetchUpload,
      // Anything but a server response is a lost connection.
      isTransient: (error) => !(error instanceof ApiError) || error.status === 0 || isTransientStatus(error.status),
      createJob: (uploadId, order) => createCheckedJob({ uploadId }, order),
      explain: explainRefusal,
      explainError: (error) => ({ code: error instanceof ApiError ? error.code : null, params: {}, violations: [] }),
      now: () => performance.now(),
      ...itemParts,
    }),
  createJob: createCheckedJob,
  removeUpload,
  findTransfers: findUploads,
  forgetTransfer: forgetUploads,
  database,
  lock: tryTabLock(globalThis.navigator?.locks, localStorage),
  memory,
  slots: createTransferSlots(MAX_SENDING),
  listener: {
    onStarted: (jobs, all) => appListener?.onStarted(jobs, all),
    onTrouble: (what) => appListener?.onTrouble(what),
  },
});

uploadTray.subscribe(({ items }) => setInProgress("uploads", uploadsInProgress(items)));

/** Ids of the uploads of all recordings on this owner's trays, in any tab. */
export const recordingsOnTrays = (owner: string): readonly string[] =>
  memory.items(owner).flatMap(([, { kind, recording }]) => (kind === "voice" && recording ? [recording.id] : []));

let suspended = false;

onSessionEnd((reason) => {
  if (reason === "expired") {
    // After signing in again, uploads continue; everything is stored under its owner's id, so no other user gets it.
    suspended = true;
    uploadTray.getState().suspend();
    return;
  }
  // The next user of this browser must not see it.
  uploadTray.getState().clear();
  void database.clear();
  forgetUploads();
  forgetDrafts();
  memory.clear();
});

onUser((user) => {
  if (user && suspended) {
    suspended = false;
    void uploadTray.getState().restore(user.id);
  }
});

/** While the job was delayed, the settings may have changed; the rules report in time what the server would refuse. */
async function createCheckedJob(source: JobSource, order: JobOrder): Promise<string> {
  const url = "url" in source ? source.url : "";
  const violations = validateSettings({ ...order.settings, url }, url ? "url" : "file");
  if (violations.length > 0) {
    throw new ApiError({ status: 0, code: "validation_failed", violations });
  }
  return (await createJob(source, order)).my_job_id;
}

function explainRefusal({ status, body }: TransferFailure): UploadFailure {
  try {
    const problem = JSON.parse(body) as Partial<Problem> & { params?: Record<string, unknown> };
    if (typeof problem.code === "string") {
      return { code: problem.code, params: problem.params ?? {}, violations: problem.errors ?? [] };
    }
  } catch {
    // A proxy answers in its own format; only its status is used.
  }
  return { code: status === 413 ? "upload_too_large" : null, params: {}, violations: [] };
}
