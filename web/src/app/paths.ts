/** The application's addresses. */
export const PATHS = {
  home: "/",
  login: "/login",
  signup: "/signup",
  verify: "/verify",
  forgotPassword: "/forgot-password",
  resetPassword: "/reset-password",
  signedIn: "/signed-in",
  profile: "/profile",
  success: "/success",
  dashboard: "/dashboard",
  upload: "/upload",
  transcriptions: "/transcriptions",
  transcription: "/transcription/:jobId",
  presets: "/presets",
  settings: "/settings",
  adminUsers: "/admin/users",
} as const;
