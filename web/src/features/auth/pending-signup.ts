/** The sign-up that waits for its code. It goes along in the history entry of /verify, which a reload keeps. */
import type { Registration } from "@/api";

export interface PendingSignup {
  /** The secret without which the code is of no use. */
  registration: string;
  email: string;
  /** When another code may be asked for, in ms of this machine's clock. */
  resendAt: number;
  /** Whether the mail went out. */
  sent: boolean;
  /** Whether the session that follows outlives the browser. */
  remember: boolean;
}

/** `answer` as the server gave it at `now`, in ms. */
export function pendingSignup(answer: Omit<Registration, "code_expires_at">, remember: boolean, now: number): PendingSignup {
  const { registration, email, resend_after, sent } = answer;
  return { registration, email, resendAt: now + resend_after * 1000, sent, remember };
}

/** What the server says of a sign-up whose password was right at sign-in; null if it does not say enough. */
export function signupOfProblem(params: Readonly<Record<string, unknown>>, remember: boolean, now: number): PendingSignup | null {
  const { registration, email, resend_after, sent } = params;
  if (typeof registration !== "string" || typeof email !== "string") return null;
  const wait = Number(resend_after);
  return pendingSignup(
    // Only a plain no is a no: without a word about it, the mail is on its way.
    { registration, email, resend_after: Number.isFinite(wait) ? wait : 0, sent: sent !== false && sent !== "false" },
    remember,
    now,
  );
}

/** Read from the state of a history entry, which may hold anything. */
export function signupOfState(state: unknown): PendingSignup | null {
  const signup = (state as { signup?: Partial<PendingSignup> } | null)?.signup;
  if (typeof signup?.registration !== "string" || typeof signup.email !== "string") return null;
  const { registration, email, resendAt = 0, sent = true, remember = true } = signup;
  return { registration, email, resendAt, sent, remember };
}
