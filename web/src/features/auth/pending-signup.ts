/** A registration waiting for its code. It is kept in the history entry of /verify, which survives a reload. */
import type { Registration } from "@/api";

export interface PendingSignup {
  /** The secret that is needed together with the code. */
  registration: string;
  email: string;
  /** When another code can be requested, in ms of the local clock. */
  resendAt: number;
  /** Whether the mail was sent. */
  sent: boolean;
  /** Whether the new session outlives the browser. */
  remember: boolean;
}

/** `answer` is the server's response at `now`, in ms. */
export function pendingSignup(answer: Omit<Registration, "code_expires_at">, remember: boolean, now: number): PendingSignup {
  const { registration, email, resend_after, sent } = answer;
  return { registration, email, resendAt: now + resend_after * 1000, sent, remember };
}

/** The registration from the server's response to a sign-in with a correct password; null if it is incomplete. */
export function signupOfProblem(params: Readonly<Record<string, unknown>>, remember: boolean, now: number): PendingSignup | null {
  const { registration, email, resend_after, sent } = params;
  if (typeof registration !== "string" || typeof email !== "string") return null;
  const wait = Number(resend_after);
  return pendingSignup(
    // If the server does not say otherwise, the mail was sent.
    { registration, email, resend_after: Number.isFinite(wait) ? wait : 0, sent: sent !== false && sent !== "false" },
    remember,
    now,
  );
}

/** Read from the state of a history entry, which may contain anything. */
export function signupOfState(state: unknown): PendingSignup | null {
  const signup = (state as { signup?: Partial<PendingSignup> } | null)?.signup;
  if (typeof signup?.registration !== "string" || typeof signup.email !== "string") return null;
  const { registration, email, resendAt = 0, sent = true, remember = true } = signup;
  return { registration, email, resendAt, sent, remember };
}
