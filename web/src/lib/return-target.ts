/** The page that was requested before the redirect to sign-in; passed on in the history state of the sign-in pages. */

export interface ReturnTarget {
  /** Path, query and hash of the page. */
  from?: string;
  /** The id of the user whose page it was, if known; other users are not taken there. */
  user?: string;
}

/** Read from the state of a history entry, which may contain anything. */
export function returnTarget(state: unknown): ReturnTarget {
  const { from, user } = (typeof state === "object" && state !== null ? state : {}) as Partial<
    Record<keyof ReturnTarget, unknown>
  >;
  // Only a path of this application: two slashes would start a URL of another server.
  if (typeof from !== "string" || !/^\/(?![/\\])/.test(from)) return {};
  return typeof user === "string" ? { from, user } : { from };
}

/** The requested path; null if there is none, or if it was another user's. */
export function returnPath(state: unknown, userId: string): string | null {
  const { from, user } = returnTarget(state);
  return from !== undefined && (user === undefined || user === userId) ? from : null;
}
