/** Signing up, in and out, and who is signed in. */
import { queryOptions } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import type { Locale } from "@/lib/i18n";
import { call, openApi, session, watchUser } from "./client";
import { keepLook, showLook } from "./look";
import type { LoginForm, Registration, ResetForm, Session, SignupForm, User } from "./schema";

/** Where the browser goes to sign in with Google. */
const GOOGLE_START = "/api/v1/auth/google/start";
/** How long the way back from Google may take, in ms: an account that is older was not made on that way. */
const HANDOFF_MS = 60_000;
/** How long signing out waits for pending saves, in ms: a slow connection must not block it. */
const LAST_SAVES_MS = 1_500;

export type GoogleIntent = "login" | "signup";

/** How long the ways in are believed, in ms: an administrator may close one at any time. */
const OPTIONS_MS = 60_000;

/** Ways to sign in that the server has besides a password, and whether new accounts may be made. */
export const authOptionsQuery = () =>
  queryOptions({
    queryKey: ["auth", "options"],
    queryFn: ({ signal }) => call(openApi.GET("/api/v1/auth/options", { signal })),
    staleTime: OPTIONS_MS,
  });

/** The name of a plan on the price list, which a guest may be told; null for one that is not on it. */
export const chosenPlanQuery = (plan: string) =>
  queryOptions({
    queryKey: ["auth", "options", plan],
    queryFn: async ({ signal }) =>
      (await call(openApi.GET("/api/v1/auth/options", { params: { query: { plan } }, signal }))).chosen_plan,
    staleTime: OPTIONS_MS,
  });

/**
 * Begins a registration: there is an account only when its code has been given back. The mail is written in `locale`; `plan` is
 * asked for as soon as there is the account.
 */
export function signUp(form: SignupForm, locale: Locale, plan: string | null = null): Promise<Registration> {
  return call(openApi.POST("/api/v1/auth/signup", { body: { ...form, locale, ...(plan !== null && { plan }) } }));
}

/** Turns a registration into an account, and signs it in. */
export async function verifyCode(registration: string, code: string, remember: boolean): Promise<void> {
  await enterNew(await call(openApi.POST("/api/v1/auth/verify", { body: { registration, code } })), remember);
}

/** Has another code sent; those before it are void. */
export function resendCode(registration: string): Promise<Registration> {
  return call(openApi.POST("/api/v1/auth/verify/resend", { body: { registration } }));
}

export async function signIn(form: LoginForm, remember: boolean): Promise<void> {
  enter(await call(openApi.POST("/api/v1/auth/login", { body: { ...form, remember } })), remember);
}

/** The address that leads to Google, and from there back to /signed-in; `plan` is asked for if that makes an account. */
export function googleStart(intent: GoogleIntent, remember: boolean, locale: Locale, plan: string | null = null): string {
  const query = new URLSearchParams({ intent, remember: String(remember), locale, ...(plan !== null && { plan }) });
  return `${GOOGLE_START}?${query}`;
}

/** Exchanges what Google's sign-in left in the address for a session. */
export async function enterWithHandoff(handoff: string, remember: boolean): Promise<User> {
  const begun = await call(openApi.POST("/api/v1/auth/google/session", { body: { handoff } }));
  if (isNew(begun)) await enterNew(begun, remember);
  else enter(begun, remember);
  return begun.user;
}

/** Sends a reset link if there is such an account; the answer is the same if there is none. */
export async function forgotPassword(email: string, locale: Locale): Promise<void> {
  await call(openApi.POST("/api/v1/auth/password/forgot", { body: { email, locale } }));
}

/** Sets a new password by the secret of a reset link. Ends all sessions of the account. */
export async function resetPassword(form: ResetForm): Promise<void> {
  await call(openApi.POST("/api/v1/auth/password/reset", { body: form }));
}

/** Begins a session, in the language and the theme that its user has chosen. */
function enter(begun: Session, remember: boolean) {
  session.begin(begun, remember);
  showLook(begun.user);
}

/** Begins the first session of an account, which keeps the language and the theme that its owner has chosen as a guest. */
async function enterNew(begun: Session, remember: boolean) {
  session.begin(begun, remember);
  await keepLook().catch(console.warn);
}

/**
 * Whether the account was made by the sign-in with Google that the session began with: it is hardly older (both times are
 * the server's), and has the theme that the server begins with.
 */
function isNew({ user, expires_at, expires_in }: Session): boolean {
  if (user.theme !== null && user.theme !== "system") return false;
  const begun = Date.parse(expires_at) - expires_in * 1000;
  return begun - Date.parse(user.created_at) <= HANDOFF_MS;
}

const leaving = new Set<() => unknown>();

/** Last chance to send something in the user's name before they sign out in this tab. A promise is waited for, but not long. */
export function beforeSignOut(listener: () => unknown): () => void {
  leaving.add(listener);
  return () => leaving.delete(listener);
}

/**
 * Ends the session, in all tabs, once what is still to be saved has been saved, or could not be in a short time. The
 * server is told, but not waited for: offline one can sign out, too.
 */
export async function signOut(): Promise<void> {
  const isHere = watchUser();
  const saves = Promise.allSettled([...leaving].map(async (listener) => listener()));
  await Promise.race([saves, new Promise((resolve) => setTimeout(resolve, LAST_SAVES_MS))]);
  if (!isHere()) return;
  // A save may have renewed the tokens.
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

/** Called with who is signed in, whenever that may have changed. */
export const onUser = (listener: (user: User | null) => void): (() => void) => session.subscribe(() => listener(session.user()));

/** Whether the user is signed out because the session expired, and not by choice. */
export const sessionExpired = (): boolean => session.user() === null && session.lastEnd() === "expired";

/** Whether the user is signed out because the account has just been deleted. */
export const accountDeleted = (): boolean => session.user() === null && session.lastEnd() === "deleted";

/** Whether the user left on purpose: then the next one to sign in is not sent back to where the last one was. */
export const leftOnPurpose = (): boolean => session.lastEnd() !== null && session.lastEnd() !== "expired";

/** Whose page it is that a stranger to it is sent away from; null when nobody has been signed in here. */
export const lastUserId = session.lastUserId;
