/** Every address of the application. Pages are fetched when they are first opened. */
import { createBrowserRouter } from "react-router";
import { Loading } from "@/components/loading";
import { Crash } from "./crash";
import { GuestOnly, HomeRedirect, RequireUser } from "./guards";
import { NotFound } from "./not-found";
import { PATHS } from "./paths";
import { RequireAdmin } from "./require-admin";
import { Shell } from "./shell/shell";

export const router = createBrowserRouter([
  {
    ErrorBoundary: Crash,
    HydrateFallback: Loading,
    children: [
      { path: "/", Component: HomeRedirect },
      {
        Component: GuestOnly,
        children: [
          { path: PATHS.login, lazy: async () => ({ Component: (await import("@/features/auth")).LoginPage }) },
          { path: PATHS.signup, lazy: async () => ({ Component: (await import("@/features/auth")).SignupPage }) },
          { path: PATHS.forgotPassword, lazy: async () => ({ Component: (await import("@/features/auth")).ForgotPage }) },
        ],
      },
      {
        element: <GuestOnly then={PATHS.profile} />,
        children: [{ path: PATHS.verify, lazy: async () => ({ Component: (await import("@/features/auth")).VerifyPage }) }],
      },
      // Links from outside: they are of use whoever is signed in.
      { path: PATHS.resetPassword, lazy: async () => ({ Component: (await import("@/features/auth")).ResetPage }) },
      { path: PATHS.signedIn, lazy: async () => ({ Component: (await import("@/features/auth")).SignedInPage }) },
      {
        Component: RequireUser,
        children: [
          { path: PATHS.profile, lazy: async () => ({ Component: (await import("@/features/auth")).ProfilePage }) },
          { path: PATHS.success, lazy: async () => ({ Component: (await import("@/features/auth")).SuccessPage }) },
          {
            Component: Shell,
            children: [
              {
                ErrorBoundary: Crash,
                children: [
                  {
                    path: PATHS.dashboard,
                    lazy: async () => ({ Component: (await import("@/features/dashboard")).DashboardPage }),
                  },
                  {
                    path: PATHS.transcriptions,
                    lazy: async () => ({ Component: (await import("@/features/transcripts")).TranscriptsPage }),
                  },
                  {
                    path: PATHS.presets,
                    lazy: async () => ({ Component: (await import("@/features/presets")).PresetsPage }),
                  },
                  { path: PATHS.upload, lazy: () => import("@/features/upload/route") },
                  { path: PATHS.transcription, lazy: () => import("@/features/transcript/route") },
                  {
                    path: PATHS.settings,
                    lazy: async () => ({ Component: (await import("@/features/settings")).SettingsPage }),
                  },
                  {
                    Component: RequireAdmin,
                    children: [
                      {
                        path: PATHS.adminUsers,
                        lazy: async () => ({ Component: (await import("@/features/admin")).UsersPage }),
                      },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
      { path: "*", Component: NotFound },
    ],
  },
]);
