/** The application's addresses. */
export const PATHS = {
  home: "/",
  login: "/login",
  signup: "/signup",
  profile: "/profile",
  dashboard: "/dashboard",
  upload: "/upload",
  transcriptions: "/transcriptions",
  transcription: "/transcription/:jobId",
  settings: "/settings",
  adminUsers: "/admin/users",
} as const;
