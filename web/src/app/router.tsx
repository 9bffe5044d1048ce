/** All routes of the app. Pages and their texts are loaded when they are first opened. */
import type { ComponentType } from "react";
import { Navigate, Route, Routes } from "react-router";
import { ERROR_TEXTS, type Namespace, withTexts } from "@/lib/i18n";
import { lazyPart } from "@/lib/part";
import { CrashBoundary } from "./crash";
import { GuestOnly, RequireUser } from "./guards";
import { NotFound } from "./not-found";
import { PageFrame } from "./page-frame";
import { HOME, PATHS } from "./paths";
import { PublicPage } from "./public-page";
import { RequireAdmin } from "./require-admin";
import { ScrollMemory } from "./scroll-memory";
import { Shell } from "./shell/shell";

/** A page of `feature` with these namespaces and that of errors; those loaded by main.tsx are already there. */
function page<Feature>(feature: () => Promise<Feature>, pick: (feature: Feature) => ComponentType, ...texts: Namespace[]) {
  return lazyPart(async () => pick(await withTexts(feature(), ...texts, ...ERROR_TEXTS)));
}

const auth = () => import("@/features/auth");
const Login = page(auth, ({ LoginPage }) => LoginPage, "auth", "settings");
const Signup = page(auth, ({ SignupPage }) => SignupPage, "auth");
const Forgot = page(auth, ({ ForgotPage }) => ForgotPage, "auth");
const Verify = page(auth, ({ VerifyPage }) => VerifyPage, "auth");
const Reset = page(auth, ({ ResetPage }) => ResetPage, "auth");
const SignedIn = page(auth, ({ SignedInPage }) => SignedInPage, "auth");
const Profile = page(auth, ({ ProfilePage }) => ProfilePage, "auth");
const Success = page(auth, ({ SuccessPage }) => SuccessPage, "auth");
const Dashboard = page(
  () => import("./dashboard"),
  ({ Dashboard }) => Dashboard,
  "dashboard",
  "transcripts",
);
const Transcripts = page(
  () => import("@/features/transcripts"),
  ({ TranscriptsPage }) => TranscriptsPage,
  "transcripts",
);
const Presets = page(
  () => import("@/features/presets"),
  ({ PresetsPage }) => PresetsPage,
  "presets",
  "configure",
);
// Its first step has no error messages; later steps load them, see features/upload/parts.ts.
const Upload = lazyPart(async () => (await withTexts(import("@/features/upload/route"), "upload", "configure")).Component);
const Transcript = page(
  () => import("@/features/transcript/route"),
  ({ Component }) => Component,
  "transcript",
  "editor",
  "player",
  "sharing",
);
const Shared = page(
  () => import("@/features/shared/route"),
  ({ Component }) => Component,
  "sharing",
  "transcript",
  "player",
);
const Settings = page(
  () => import("@/features/settings"),
  ({ SettingsPage }) => SettingsPage,
  "settings",
  "auth",
  "configure",
);
const Subscription = page(
  () => import("@/features/subscription"),
  ({ SubscriptionPage }) => SubscriptionPage,
  "subscription",
);
const Users = page(
  () => import("@/features/admin/users"),
  ({ UsersPage }) => UsersPage,
  "admin",
);
const Overview = page(
  () => import("@/features/admin/overview"),
  ({ OverviewPage }) => OverviewPage,
  "admin-overview",
  "admin-nocodb",
  "admin-site",
  "admin-setup",
);
const Plans = page(
  () => import("@/features/admin/plans"),
  ({ PlansPage }) => PlansPage,
  "admin-plans",
);
const Jobs = page(
  () => import("@/features/admin/jobs"),
  ({ JobsPage }) => JobsPage,
  "admin-jobs",
);
const AdminPresets = page(
  () => import("@/features/admin/presets"),
  ({ AdminPresetsPage }) => AdminPresetsPage,
  "admin-presets",
  "admin-nocodb",
  "presets",
  "configure",
);
const Messages = page(
  () => import("@/features/admin/messages"),
  ({ MessagesPage }) => MessagesPage,
  "admin-messages",
);
const Audit = page(
  () => import("@/features/admin/audit"),
  ({ AuditPage }) => AuditPage,
  "admin-audit",
);
const SignIns = page(
  () => import("@/features/admin/sign-ins"),
  ({ SignInsPage }) => SignInsPage,
  "admin-sign-ins",
);
const Config = page(
  () => import("@/features/admin/config"),
  ({ ConfigPage }) => ConfigPage,
  "admin-config",
);

export function AppRoutes() {
  return (
    <CrashBoundary>
      <Routes>
        <Route path={HOME} element={<PublicPage />} />
        <Route element={<PageFrame />}>
          <Route element={<GuestOnly />}>
            <Route path={PATHS.login} element={<Login />} />
            <Route path={PATHS.signup} element={<Signup />} />
            <Route path={PATHS.forgotPassword} element={<Forgot />} />
          </Route>
          <Route element={<GuestOnly then={PATHS.profile} />}>
            <Route path={PATHS.verify} element={<Verify />} />
          </Route>
          {/* Links from mails: they work for any user, signed in or not. */}
          <Route path={PATHS.resetPassword} element={<Reset />} />
          <Route path={PATHS.signedIn} element={<SignedIn />} />
          <Route path={PATHS.shared} element={<Shared />} />
        </Route>
        <Route element={<RequireUser />}>
          <Route element={<PageFrame />}>
            <Route path={PATHS.profile} element={<Profile />} />
            <Route path={PATHS.success} element={<Success />} />
          </Route>
          <Route element={<Shell />}>
            <Route
              element={
                <PageFrame>
                  <ScrollMemory />
                </PageFrame>
              }
            >
              <Route path={PATHS.dashboard} element={<Dashboard />} />
              <Route path={PATHS.transcriptions} element={<Transcripts />} />
              <Route path={PATHS.presets} element={<Presets />} />
              <Route path={PATHS.upload} element={<Upload />} />
              <Route path={PATHS.transcription} element={<Transcript />} />
              <Route path={PATHS.subscription} element={<Subscription />} />
              <Route path={PATHS.settings} element={<Settings />} />
              {/* A typed URL leads to the first of these pages, which checks access. */}
              <Route path={PATHS.admin} element={<Navigate to={PATHS.adminOverview} replace />} />
              <Route element={<RequireAdmin />}>
                <Route path={PATHS.adminOverview} element={<Overview />} />
                <Route path={PATHS.adminUsers} element={<Users />} />
                <Route path={PATHS.adminSubscriptions} element={<Plans />} />
                <Route path={PATHS.adminTranscriptions} element={<Jobs />} />
                <Route path={PATHS.adminPresets} element={<AdminPresets />} />
                <Route path={PATHS.adminMessages} element={<Messages />} />
                <Route path={PATHS.adminAudit} element={<Audit />} />
                <Route path={PATHS.adminSignIns} element={<SignIns />} />
                <Route path={PATHS.adminConfig} element={<Config />} />
              </Route>
            </Route>
          </Route>
        </Route>
        <Route path="*" element={<NotFound />} />
      </Routes>
    </CrashBoundary>
  );
}
