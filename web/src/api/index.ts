/** What the rest of the page may use of the API. */
export { beforeSignOut, leftOnPurpose, onSessionEnd, onUser, sessionExpired, signIn, signOut, signUp, useUser } from "./auth";
export { api, apiFetch, call, getAccessToken } from "./client";
export { ApiError } from "./problem";
export type {
  Fault as Notice,
  Job,
  JobStatus,
  JobSummary,
  Problem,
  Progress,
  Segment,
  Transcript,
  TranscriptionSettings,
  TranscriptionType,
  UploadState as Upload,
  Violation,
} from "./schema";
