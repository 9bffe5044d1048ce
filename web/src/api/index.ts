/** What the rest of the page may use of the API. */
export {
  accountDeleted,
  authOptionsQuery,
  beforeSignOut,
  enterWithHandoff,
  forgotPassword,
  type GoogleIntent,
  googleStart,
  lastUserId,
  leftOnPurpose,
  onSessionEnd,
  onUser,
  resendCode,
  resetPassword,
  sessionExpired,
  signIn,
  signOut,
  signUp,
  useUser,
  verifyCode,
} from "./auth";
export { removeAvatar, uploadAvatar, useAvatarUrl, useObjectUrl } from "./avatar";
export { api, apiFetch, call, getAccessToken } from "./client";
export { ApiError } from "./problem";
export { saveProfile } from "./profile";
export type {
  Fault as Notice,
  Job,
  JobStatus,
  JobSummary,
  Problem,
  Progress,
  Registration,
  Segment,
  Transcript,
  TranscriptionSettings,
  TranscriptionType,
  UploadState as Upload,
  UrlProbe,
  User,
  Violation,
} from "./schema";
