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

interface StoredSession extends Session {
  /** When the access token ends by this machine's clock, in ms; clocks of server and browser may differ. */
  fresh_until: number;
  remember: boolean;
}

export type EndReason = "signed_out" | "expired" | "other_user";

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
  let current = readAtStart(around);
  let lastEnd: EndReason | null = null;

  function publish(next: StoredSession | null, reason: EndReason) {
    const before = current;
    current = next;
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
      publish(stored, around.storage.getItem(END_KEY) === "expired" ? "expired" : "signed_out");
    }
    return current;
  }

  /** A session newer than the given access token, or null when there is none any more. */
  function renew(usedToken: string): Promise<StoredSession | null> {
    return around.lock(REFRESH_LOCK, async () => {
      const session = takeOver();
      if (session === null || session.access_token !== usedToken) return session;
      try {
        const fresh = await around.exchange(session.refresh_token);
        // Signing out does not wait for the lock; a session ended meanwhile must not come back.
        return takeOver() === null ? null : store(fresh, session.remember);
      } catch (error) {
        if (error instanceof ApiError && error.status >= 400 && error.status < 500 && !error.retryable) {
          end("expired");
          return null;
        }
        throw error;
      }
    });
  }

  around.events.addEventListener("storage", (event) => {
    // A null key means that the whole storage was cleared.
    if (event.key === SESSION_KEY || event.key === null) takeOver();
  });

  return {
    current: (): Session | null => current,
    user: (): User | null => current?.user ?? null,
    /** Why the last session of this page ended; null when none has. */
    lastEnd: (): EndReason | null => lastEnd,

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

    /** A token that is good for at least half a minute, or null when nobody is signed in. */
    async accessToken(): Promise<string | null> {
      const session = takeOver();
      if (session === null) return null;
      if (session.fresh_until - around.now() > EXPIRY_MARGIN_MS) return session.access_token;
      return (await renew(session.access_token))?.access_token ?? null;
    },

    /** After the server refused `usedToken`: a newer one, or null when the session is over. */
    async replaceToken(usedToken: string): Promise<string | null> {
      return (await renew(usedToken))?.access_token ?? null;
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

function readAtStart(around: SessionSurroundings): StoredSession | null {
  const stored = parse(around.storage.getItem(SESSION_KEY));
  const browserWasClosed = !around.cookies.get().split("; ").includes(`${OPEN_COOKIE}=1`);
  if (stored && !stored.remember && browserWasClosed) {
    around.storage.removeItem(SESSION_KEY);
    return null;
  }
  return stored;
}

/** By what they say: another tab's user is another object. */
const sameUser = (one: User | undefined, other: User | undefined) => JSON.stringify(one) === JSON.stringify(other);

/** What is not a whole session counts as none: somebody edited the storage, or an older version wrote it. */
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
