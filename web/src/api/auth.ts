/** Signing up, in and out, and who is signed in. */
import { useSyncExternalStore } from "react";
import { call, openApi, session } from "./client";
import type { LoginForm, SignupForm, User } from "./schema";

/** Opens an account and signs it in. */
export async function signUp(form: SignupForm): Promise<void> {
  session.begin(await call(openApi.POST("/api/v1/auth/signup", { body: form })), true);
}

export async function signIn(form: LoginForm, remember: boolean): Promise<void> {
  session.begin(await call(openApi.POST("/api/v1/auth/login", { body: form })), remember);
}

const leaving = new Set<() => void>();

/** Last chance to send something in the user's name before they sign out in this tab. */
export function beforeSignOut(listener: () => void): void {
  leaving.add(listener);
}

/** Ends the session here at once, in all tabs; the server is told, but not waited for: offline one can sign out, too. */
export function signOut(): void {
  const current = session.current();
  for (const listener of leaving) listener();
  session.end("signed_out");
  if (current === null) return;
  openApi.POST("/api/v1/auth/logout", { body: { refresh_token: current.refresh_token }, keepalive: true }).catch(() => undefined);
}

/** Null when nobody is signed in. */
export function useUser(): User | null {
  return useSyncExternalStore(session.subscribe, session.user);
}

/** For stores with a user's data: the callback clears them when the session ends, in this tab or another. */
export const onSessionEnd = session.onEnd;

/** Called with who is signed in, whenever that may have changed. */
export const onUser = (listener: (user: User | null) => void): (() => void) => session.subscribe(() => listener(session.user()));

/** Whether nobody is signed in because the session ran out, and not because somebody wanted so. */
export const sessionExpired = (): boolean => session.user() === null && session.lastEnd() === "expired";

/** Whether the user left on purpose: then the next one to sign in is not sent back to where the last one was. */
export const leftOnPurpose = (): boolean => session.lastEnd() === "signed_out" || session.lastEnd() === "other_user";
