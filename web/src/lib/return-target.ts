/** The page that somebody wanted before they were sent to sign in. It goes along in the history entries of the sign-in pages. */

export interface ReturnTarget {
  /** Path, query and hash of the page. */
  from?: string;
  /** Whose page it was, where that is known: nobody else is led to it. */
  user?: string;
}

/** Read from the state of a history entry, which may hold anything. */
export function returnTarget(state: unknown): ReturnTarget {
  const { from, user } = (typeof state === "object" && state !== null ? state : {}) as Partial<
    Record<keyof ReturnTarget, unknown>
  >;
  // A path of this application; two slashes would begin another server's address.
  if (typeof from !== "string" || !/^\/(?![/\\])/.test(from)) return {};
  return typeof user === "string" ? { from, user } : { from };
}

/** Where this user wanted to go; null if nowhere, or if it was somebody else who did. */
export function returnPath(state: unknown, userId: string): string | null {
  const { from, user } = returnTarget(state);
  return from !== undefined && (user === undefined || user === userId) ? from : null;
}
