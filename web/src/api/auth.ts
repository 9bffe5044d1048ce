/** Sign-up, sign-in, sign-out, and the signed-in user. */
import { queryOptions } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import type { Locale } from "@/lib/i18n";
import { applyAppearance, saveAppearance } from "./appearance";
import { call, openApi, session, watchUser } from "./client";
import type { LoginForm, Registration, ResetForm, Session, SignupForm, User } from "./schema";

/** The URL that starts the sign-in with Google. */
const GOOGLE_START = "/api/v1/auth/google/start";
/** Maximum duration of the redirect from Google, in ms: an older account was not created by this sign-in. */
const HANDOFF_MS = 60_000;
/** How long signing out waits for pending saves, in ms: a slow connection must not block it. */
const LAST_SAVES_MS = 1_500;

export type GoogleIntent = "login" | "signup";

/** How long the ways to sign in are cached, in ms: an administrator may disable one at any time. */
const OPTIONS_MS = 60_000;

/** Ways to sign in besides a password, and whether sign-up is enabled. */
export const authOptionsQuery = () =>
  queryOptions({
    queryKey: ["auth", "options"],
    queryFn: ({ signal }) => call(openApi.GET("/api/v1/auth/options", { signal })),
    staleTime: OPTIONS_MS,
  });

/** The name of a plan on the price list, also for guests; null for other plans. */
export const chosenPlanQuery = (plan: string) =>
  queryOptions({
    queryKey: ["auth", "options", plan],
    queryFn: async ({ signal }) =>
      (await call(openApi.GET("/api/v1/auth/options", { params: { query: { plan } }, signal }))).chosen_plan,
    staleTime: OPTIONS_MS,
  });

/**
 * Starts a registration; the account is created when its code is entered. The mail is written in `locale`; `plan` is
 * requested as soon as the account exists.
 */
export function signUp(form: SignupForm, locale: Locale, plan: string | null = null): Promise<Registration> {
  return call(openApi.POST("/api/v1/auth/signup", { body: { ...form, locale, ...(plan !== null && { plan }) } }));
}

/** Completes a registration: creates the account and signs in. */
export async function verifyCode(registration: string, code: string, remember: boolean): Promise<void> {
  await enterNew(await call(openApi.POST("/api/v1/auth/verify", { body: { registration, code } })), remember);
}

/** Sends another code; earlier ones become invalid. */
export function resendCode(registration: string): Promise<Registration> {
  return call(openApi.POST("/api/v1/auth/verify/resend", { body: { registration } }));
}

export async function signIn(form: LoginForm, remember: boolean): Promise<void> {
  enter(await call(openApi.POST("/api/v1/auth/login", { body: { ...form, remember } })), remember);
}

/** The URL of Google's sign-in, which redirects back to /signed-in; `plan` is requested if an account is created. */
export function googleStart(intent: GoogleIntent, remember: boolean, locale: Locale, plan: string | null = null): string {
  const query = new URLSearchParams({ intent, remember: String(remember), locale, ...(plan !== null && { plan }) });
  return `${GOOGLE_START}?${query}`;
}

/** Exchanges the handoff token from the URL for a session. */
export async function enterWithHandoff(handoff: string, remember: boolean): Promise<User> {
  const newSession = await call(openApi.POST("/api/v1/auth/google/session", { body: { handoff } }));
  if (isNew(newSession)) await enterNew(newSession, remember);
  else enter(newSession, remember);
  return newSession.user;
}

/** Sends a reset link if there is such an account; the answer does not tell. */
export async function forgotPassword(email: string, locale: Locale): Promise<void> {
  await call(openApi.POST("/api/v1/auth/password/forgot", { body: { email, locale } }));
}

/** Sets a new password with the token of a reset link. Ends all sessions of the account. */
export async function resetPassword(form: ResetForm): Promise<void> {
  await call(openApi.POST("/api/v1/auth/password/reset", { body: form }));
}

/** Starts a session, with the user's language and theme. */
function enter(newSession: Session, remember: boolean) {
  session.begin(newSession, remember);
  applyAppearance(newSession.user);
}

/** Starts the first session of an account, which keeps the language and theme chosen as a guest. */
async function enterNew(newSession: Session, remember: boolean) {
  session.begin(newSession, remember);
  await saveAppearance().catch(console.warn);
}

/**
 * Whether the sign-in with Google has just created the account: it is only seconds older than the session (both times
 * are the server's), and has the default theme.
 */
function isNew({ user, expires_at, expires_in }: Session): boolean {
  if (user.theme !== null && user.theme !== "system") return false;
  const startedAt = Date.parse(expires_at) - expires_in * 1000;
  return startedAt - Date.parse(user.created_at) <= HANDOFF_MS;
}

const leaving = new Set<() => unknown>();

/**
 * Registers a callback to send data in the user's name before they sign out in this tab. A returned promise is awaited,
 * but not for long.
 */
export function beforeSignOut(listener: () => unknown): () => void {
  leaving.add(listener);
  return () => leaving.delete(listener);
}

/**
 * Ends the session in all tabs, after pending saves have completed, failed or timed out. The server is notified without
 * waiting for its response, so that signing out also works offline.
 */
export async function signOut(): Promise<void> {
  const isSameUser = watchUser();
  const saves = Promise.allSettled([...leaving].map(async (listener) => listener()));
  await Promise.race([saves, new Promise((resolve) => setTimeout(resolve, LAST_SAVES_MS))]);
  if (!isSameUser()) return;
  // A save may have refreshed the tokens.
  const current = session.current();
  session.end("signed_out");
  if (current === null) return;
  openApi.POST("/api/v1/auth/logout", { body: { refresh_token: current.refresh_token }, keepalive: true }).catch(() => undefined);
}

/** Null when signed out. */
export function useUser(): User | null {
  return useSyncExternalStore(session.subscribe, session.user);
}

/** For stores with a user's data: the callback clears them when the session ends, in this tab or another. */
export const onSessionEnd = session.onEnd;

/** Registers a callback for possible changes of the signed-in user. */
export const onUser = (listener: (user: User | null) => void): (() => void) => session.subscribe(() => listener(session.user()));

/** Whether the session expired, rather than being ended by the user. */
export const sessionExpired = (): boolean => session.user() === null && session.lastEnd() === "expired";

/** Whether the session ended because the account was just deleted. */
export const accountDeleted = (): boolean => session.user() === null && session.lastEnd() === "deleted";

/** Whether the user signed out: then the next user is not taken to the previous user's page. */
export const signedOutDeliberately = (): boolean => session.lastEnd() !== null && session.lastEnd() !== "expired";

/** The last user of this browser; null if nobody has signed in here. A different user must not see that user's page. */
export const lastUserId = session.lastUserId;
