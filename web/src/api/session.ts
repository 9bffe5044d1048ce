/**
 * Keeps the signed-in session in local storage under `slovo.session`, shared by all tabs. A refresh token is valid
 * once; a second use ends the whole session family. So only one tab refreshes at a time, and a tab that waited uses the
 * other tab's result instead of refreshing again.
 */
import { ApiError } from "./problem";
import type { Session, User } from "./schema";
import type { TabLock } from "./tab-lock";

export const SESSION_KEY = "slovo.session";
/** Why the last session ended, for other tabs, which only see that it is gone. */
const END_KEY = "slovo.session.end";
/** Exists until the browser is closed; a session that is not to be remembered ends with it. */
const OPEN_COOKIE = "slovo.open";
const REFRESH_LOCK = "slovo.session.refresh";
/** A token with less time left is refreshed before use, so that it cannot expire in transit. */
const EXPIRY_MARGIN_MS = 30_000;
/** A visible page refreshes its token this long before its expiry, even without requests. */
const RENEWAL_LEAD_MS = 60_000;

interface StoredSession extends Session {
  /** Expiry of the access token by the local clock, in ms; the clocks of server and browser may differ. */
  fresh_until: number;
  remember: boolean;
}

export type EndReason = "signed_out" | "deleted" | "expired" | "other_user";

export interface SessionEnvironment {
  storage: Storage;
  /** Exchanges a refresh token on the server. */
  exchange: (refreshToken: string) => Promise<Session>;
  lock: TabLock;
  now: () => number;
  /** Source of storage events from other tabs. */
  events: Pick<Window, "addEventListener">;
  cookies: { get: () => string; set: (cookie: string) => void };
}

export function createSessionKeeper(around: SessionEnvironment) {
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
    // Written first, because other tabs read it when the second change arrives. A session that has already ended keeps
    // its reason, also when its requests are refused afterwards.
    if (around.storage.getItem(SESSION_KEY) !== null) around.storage.setItem(END_KEY, reason);
    around.storage.removeItem(SESSION_KEY);
    publish(null, reason);
  }

  /** Adopts what another tab has written, even if its event has not arrived yet. */
  function takeOver(): StoredSession | null {
    const stored = parse(around.storage.getItem(SESSION_KEY));
    if (stored?.access_token !== current?.access_token || !sameUser(stored?.user, current?.user)) {
      publish(stored, writtenReason(around.storage.getItem(END_KEY)));
    }
    return current;
  }

  /** A session newer than the given access token, or null if there is none. */
  function renew(usedToken: string): Promise<StoredSession | null> {
    return around.lock(REFRESH_LOCK, async () => {
      const session = takeOver();
      if (session === null || session.access_token !== usedToken) return session;
      try {
        const fresh = await around.exchange(session.refresh_token);
        // Sign-in and sign-out do not wait for the lock: a session that was ended meanwhile must neither come back nor
        // replace a newer one.
        const taken = takeOver();
        return taken?.refresh_token === session.refresh_token ? store(fresh, taken.remember) : taken;
      } catch (error) {
        if (error instanceof ApiError && error.status >= 400 && error.status < 500 && !error.retryable) {
          const taken = takeOver();
          if (taken?.refresh_token !== session.refresh_token) return taken;
          end("expired");
          return null;
        }
        throw error;
      }
    });
  }

  function renewalDue(): number | null {
    if (current === null) return null;
    // A server may be configured with shorter lifetimes than the lead; then half of the lifetime is used.
    return current.fresh_until - Math.min(RENEWAL_LEAD_MS, (current.expires_in * 1000) / 2);
  }

  around.events.addEventListener("storage", (event) => {
    // A null key means that the whole storage was cleared.
    if (event.key === SESSION_KEY || event.key === null) takeOver();
  });
  // A page in the back/forward cache or asleep in the background gets no events from other tabs.
  for (const event of ["pageshow", "visibilitychange"]) around.events.addEventListener(event, () => takeOver());

  return {
    current: (): Session | null => current,
    user: (): User | null => current?.user ?? null,
    /** Why the last session in this page ended; null if none has. */
    lastEnd: (): EndReason | null => lastEnd,
    /** The signed-in or last user, as far as this page knows. */
    lastUserId: (): string | null => lastUser,

    /** Starts a session after sign-in or sign-up. Without `remember` it ends when the browser is closed. */
    begin(session: Session, remember: boolean) {
      around.cookies.set(`${OPEN_COOKIE}=1; Path=/; SameSite=Lax`);
      store(session, remember);
    },

    end,

    /** Stores the server's data of the signed-in user, for all tabs. Data of another user is ignored. */
    updateUser(user: User) {
      const session = takeOver();
      if (session?.user.id !== user.id) return;
      const stored = { ...session, user };
      around.storage.setItem(SESSION_KEY, JSON.stringify(stored));
      publish(stored, "other_user");
    },

    /**
     * A token that is valid for at least 30 s, or null when signed out. With `owner`, throws if another user is signed
     * in.
     */
    async accessToken(owner?: string | null): Promise<string | null> {
      const session = takeOver();
      if (session === null) return null;
      const isFresh = session.fresh_until - around.now() > EXPIRY_MARGIN_MS;
      return tokenOf(isFresh ? session : await renew(session.access_token), owner);
    },

    /** After the server refused `usedToken`: a newer one, or null if the session has ended. `owner` as above. */
    async replaceToken(usedToken: string, owner?: string | null): Promise<string | null> {
      return tokenOf(await renew(usedToken), owner);
    },

    /** The session in storage, which may be newer than the events this page has got. */
    takeOver: (): Session | null => takeOver(),

    /** When `keepFresh` will refresh the token, in ms of the local clock; null when signed out. */
    renewalDue,

    /** Refreshes the token when due, unless another tab has done so. */
    async keepFresh(): Promise<void> {
      const session = takeOver();
      const due = renewalDue();
      if (session !== null && due !== null && due <= around.now()) await renew(session.access_token);
    },

    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /**
     * Registers a callback to clear the user's data from memory: on sign-out, expiry or another user, in this tab or
     * another.
     */
    onEnd(listener: (reason: EndReason) => void): () => void {
      endListeners.add(listener);
      return () => endListeners.delete(listener);
    },
  };
}

/** The stored session when the page loads, and the last user, also if the session ended with the browser. */
function readAtStart(around: SessionEnvironment): { session: StoredSession | null; userId: string | null } {
  const stored = parse(around.storage.getItem(SESSION_KEY));
  const browserWasClosed = !around.cookies.get().split("; ").includes(`${OPEN_COOKIE}=1`);
  if (stored && !stored.remember && browserWasClosed) {
    around.storage.removeItem(SESSION_KEY);
    return { session: null, userId: stored.user.id };
  }
  return { session: stored, userId: stored?.user.id ?? null };
}

/** Written by another tab; any other value counts as a sign-out. */
const writtenReason = (text: string | null): EndReason => (text === "expired" || text === "deleted" ? text : "signed_out");

function tokenOf(session: Session | null, owner: string | null | undefined): string | null {
  if (session === null) return null;
  if (owner !== undefined && session.user.id !== owner) throw new ApiError({ status: 401, code: "unauthorized" });
  return session.access_token;
}

/** Compared by value: another tab's user is a different object. */
const sameUser = (one: User | undefined, other: User | undefined) => JSON.stringify(one) === JSON.stringify(other);

/** An incomplete session counts as none: the storage was edited, or written by an older version. */
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
