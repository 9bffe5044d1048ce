/**
 * Keeps the signed-in session: in local storage under `slovo.session`, shared by all tabs.
 *
 * A refresh token is good for one use, and a second use ends the whole family of sessions. So only one tab refreshes at
 * a time, and a tab that waited for its turn takes what the other one got instead of asking again.
 */
import { ApiError } from "./problem";
import type { Session, User } from "./schema";
import type { TabLock } from "./tab-lock";

export const SESSION_KEY = "slovo.session";
/** Why the last session ended, for the other tabs: they see only that it is gone. */
const END_KEY = "slovo.session.end";
/** Lives until the browser is closed; a session that is not to be remembered ends with it. */
const OPEN_COOKIE = "slovo.open";
const REFRESH_LOCK = "slovo.session.refresh";
/** A token with less than this left is renewed before it is used, so that it cannot expire on its way. */
const EXPIRY_MARGIN_MS = 30_000;
/** A page that is looked at renews its token this long before the end, also when it asks the server for nothing. */
const RENEWAL_LEAD_MS = 60_000;

interface StoredSession extends Session {
  /** When the access token ends by this machine's clock, in ms; clocks of server and browser may differ. */
  fresh_until: number;
  remember: boolean;
}

export type EndReason = "signed_out" | "deleted" | "expired" | "other_user";

export interface SessionSurroundings {
  storage: Storage;
  /** Exchanges a refresh token at the server. */
  exchange: (refreshToken: string) => Promise<Session>;
  lock: TabLock;
  now: () => number;
  /** Where storage events of the other tabs arrive. */
  events: Pick<Window, "addEventListener">;
  cookies: { get: () => string; set: (cookie: string) => void };
}

export function createSessionKeeper(around: SessionSurroundings) {
  const listeners = new Set<() => void>();
  const endListeners = new Set<(reason: EndReason) => void>();
  const atStart = readAtStart(around);
  let current = atStart.session;
  let lastUser = atStart.userId;
  let lastEnd: EndReason | null = null;

  function publish(next: StoredSession | null, reason: EndReason) {
    const before = current;
    current = next;
    lastUser = next?.user.id ?? lastUser;
    const changedUser = before !== null && before.user.id !== next?.user.id;
    if (changedUser) {
      lastEnd = next ? "other_user" : reason;
      for (const listener of endListeners) listener(lastEnd);
    }
    for (const listener of listeners) listener();
  }

  function store(session: Session, remember: boolean): StoredSession {
    const stored = { ...session, remember, fresh_until: around.now() + session.expires_in * 1000 };
    around.storage.removeItem(END_KEY);
    around.storage.setItem(SESSION_KEY, JSON.stringify(stored));
    publish(stored, "other_user");
    return stored;
  }

  function end(reason: EndReason) {
    // Written first: the other tabs look when they hear of the second change. A session that has ended already keeps its
    // reason, also when a request of it is refused afterwards.
    if (around.storage.getItem(SESSION_KEY) !== null) around.storage.setItem(END_KEY, reason);
    around.storage.removeItem(SESSION_KEY);
    publish(null, reason);
  }

  /** Takes over what another tab wrote, also when its event has not arrived yet. */
  function takeOver(): StoredSession | null {
    const stored = parse(around.storage.getItem(SESSION_KEY));
    if (stored?.access_token !== current?.access_token || !sameUser(stored?.user, current?.user)) {
      publish(stored, writtenReason(around.storage.getItem(END_KEY)));
    }
    return current;
  }

  /** A session newer than the given access token, or null when there is none. */
  function renew(usedToken: string): Promise<StoredSession | null> {
    return around.lock(REFRESH_LOCK, async () => {
      const session = takeOver();
      if (session === null || session.access_token !== usedToken) return session;
      try {
        const fresh = await around.exchange(session.refresh_token);
        // Signing in and out do not wait for the lock: a session ended meanwhile must not come back, nor take the place
        // of the one after it.
        const now = takeOver();
        return now?.refresh_token === session.refresh_token ? store(fresh, now.remember) : now;
      } catch (error) {
        if (error instanceof ApiError && error.status >= 400 && error.status < 500 && !error.retryable) {
          const now = takeOver();
          if (now?.refresh_token !== session.refresh_token) return now;
          end("expired");
          return null;
        }
        throw error;
      }
    });
  }

  function renewalDue(): number | null {
    if (current === null) return null;
    // A server may be told to give out shorter lives than ours; then half of one has to do.
    return current.fresh_until - Math.min(RENEWAL_LEAD_MS, (current.expires_in * 1000) / 2);
  }

  around.events.addEventListener("storage", (event) => {
    // A null key means that the whole storage was cleared.
    if (event.key === SESSION_KEY || event.key === null) takeOver();
  });
  // A page in the browser's cache, or asleep in the background, hears nothing of the other tabs.
  for (const event of ["pageshow", "visibilitychange"]) around.events.addEventListener(event, () => takeOver());

  return {
    current: (): Session | null => current,
    user: (): User | null => current?.user ?? null,
    /** Why the last session of this page ended; null when none has. */
    lastEnd: (): EndReason | null => lastEnd,
    /** Who is signed in or was the last to be, as far as this page knows. */
    lastUserId: (): string | null => lastUser,

    /** Begins a session after sign-in or sign-up. Without `remember` it ends when the browser is closed. */
    begin(session: Session, remember: boolean) {
      around.cookies.set(`${OPEN_COOKIE}=1; Path=/; SameSite=Lax`);
      store(session, remember);
    },

    end,

    /** Takes over what the server has just said of the signed-in user, for all tabs. Anybody else is not let in by it. */
    updateUser(user: User) {
      const session = takeOver();
      if (session?.user.id !== user.id) return;
      const stored = { ...session, user };
      around.storage.setItem(SESSION_KEY, JSON.stringify(stored));
      publish(stored, "other_user");
    },

    /**
     * A token that is good for at least half a minute, or null when nobody is signed in. With `owner`, throws when it
     * would be somebody else's.
     */
    async accessToken(owner?: string | null): Promise<string | null> {
      const session = takeOver();
      if (session === null) return null;
      const isFresh = session.fresh_until - around.now() > EXPIRY_MARGIN_MS;
      return tokenOf(isFresh ? session : await renew(session.access_token), owner);
    },

    /** After the server refused `usedToken`: a newer one, or null when the session is over. `owner` as above. */
    async replaceToken(usedToken: string, owner?: string | null): Promise<string | null> {
      return tokenOf(await renew(usedToken), owner);
    },

    /** The session as the storage holds it now, which may be ahead of what this page has heard. */
    takeOver: (): Session | null => takeOver(),

    /** When `keepFresh` will renew the token, in ms of this machine's clock; null when signed out. */
    renewalDue,

    /** Renews the token when that is due, unless another tab has done so. */
    async keepFresh(): Promise<void> {
      const session = takeOver();
      const due = renewalDue();
      if (session !== null && due !== null && due <= around.now()) await renew(session.access_token);
    },

    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** Called when the user's data must go from memory: sign-out, expiry, another user, in this tab or another. */
    onEnd(listener: (reason: EndReason) => void): () => void {
      endListeners.add(listener);
      return () => endListeners.delete(listener);
    },
  };
}

/** The session that this page finds, and whose the last one was, also when it ended with the browser. */
function readAtStart(around: SessionSurroundings): { session: StoredSession | null; userId: string | null } {
  const stored = parse(around.storage.getItem(SESSION_KEY));
  const browserWasClosed = !around.cookies.get().split("; ").includes(`${OPEN_COOKIE}=1`);
  if (stored && !stored.remember && browserWasClosed) {
    around.storage.removeItem(SESSION_KEY);
    return { session: null, userId: stored.user.id };
  }
  return { session: stored, userId: stored?.user.id ?? null };
}

/** Written by another tab; anything else counts as a sign-out without a way back. */
const writtenReason = (text: string | null): EndReason => (text === "expired" || text === "deleted" ? text : "signed_out");

function tokenOf(session: Session | null, owner: string | null | undefined): string | null {
  if (session === null) return null;
  if (owner !== undefined && session.user.id !== owner) throw new ApiError({ status: 401, code: "unauthorized" });
  return session.access_token;
}

/** By what they say: another tab's user is another object. */
const sameUser = (one: User | undefined, other: User | undefined) => JSON.stringify(one) === JSON.stringify(other);

/** An incomplete session counts as none: the storage was edited, or an older version wrote it. */
function parse(text: string | null): StoredSession | null {
  if (text === null) return null;
  try {
    const value = JSON.parse(text) as Partial<StoredSession> | null;
    if (typeof value?.access_token !== "string" || typeof value.refresh_token !== "string" || !value.user?.id) return null;
    return {
      ...(value as StoredSession),
      fresh_until: value.fresh_until ?? Date.parse(value.expires_at ?? "") ?? 0,
      remember: value.remember ?? true,
    };
  } catch {
    return null;
  }
}
