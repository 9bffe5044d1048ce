/** What the page must remember while the browser is at Google; stored per tab. */
import type { GoogleIntent, User } from "@/api";
import { planOfReturnTarget, planRequestPath } from "@/lib/chosen-plan";
import { type ReturnTarget, returnPath, returnTarget } from "@/lib/return-target";

const KEY = "slovo.google";

export interface GoogleSignInState extends ReturnTarget {
  intent: GoogleIntent;
  /** Whether the session outlives the browser. */
  remember: boolean;
}

export const storeGoogleSignIn = (note: GoogleSignInState): void => sessionStorage.setItem(KEY, JSON.stringify(note));

/** The note; by default (another tab or browser) a sign-in whose session ends with the browser. */
export function storedGoogleSignIn(): GoogleSignInState {
  try {
    const note = JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Partial<GoogleSignInState> | null;
    return { intent: note?.intent === "signup" ? "signup" : "login", remember: note?.remember === true, ...returnTarget(note) };
  } catch {
    return { intent: "login", remember: false };
  }
}

export const clearGoogleSignIn = (): void => sessionStorage.removeItem(KEY);

/**
 * Where to go after a sign-in with Google: new users accept the terms first, on the profile page, which gets the note's
 * target (`useProfile`).
 */
export function pathAfterGoogleSignIn(
  note: GoogleSignInState,
  { id, terms_accepted }: Pick<User, "id" | "terms_accepted">,
): string {
  if (!terms_accepted) return "/profile";
  const plan = planOfReturnTarget(note);
  if (plan !== null) return planRequestPath(plan);
  if (note.intent === "signup") return "/dashboard";
  return returnPath(note, id) ?? "/success";
}
