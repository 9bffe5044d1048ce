/** What the rest of the page may use of the API. */
export { beforeSignOut, currentUser, leftOnPurpose, onSessionEnd, signIn, signOut, signUp, useUser } from "./auth";
export { api, apiFetch, call, getAccessToken } from "./client";
export { ApiError } from "./problem";
export type {
  Job,
  JobStatus,
  JobSummary,
  MediaLink,
  Notice,
  Problem,
  Progress,
  Segment,
  Session,
  Stage,
  Transcript,
  TranscriptionSettings,
  TranscriptionType,
  Upload,
  User,
  Violation,
  Word,
} from "./schema";
