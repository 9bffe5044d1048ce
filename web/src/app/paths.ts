/** The application's addresses. */
export const PATHS = {
  home: "/",
  login: "/login",
  signup: "/signup",
  dashboard: "/dashboard",
  upload: "/upload",
  transcriptions: "/transcriptions",
  transcription: "/transcription/:jobId",
} as const;
