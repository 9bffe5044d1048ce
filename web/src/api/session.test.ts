import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "./problem";
import type { Session, User } from "./schema";
import { createSessionKeeper, type EndReason, SESSION_KEY } from "./session";
import { type TabLock, tabLock } from "./tab-lock";
import { SESSION } from "./test-session";

const USER = SESSION.user;
const LIFETIME_S = 900;

const session = (n: number, user: User = USER): Session => ({
  access_token: `access-${n}`,
  refresh_token: `refresh-${n}`,
  token_type: "bearer",
  expires_in: LIFETIME_S,
  expires_at: "2026-11-21T00:15:00Z",
  user,
});

/** Two tabs of one browser: one storage, one lock, and a server that accepts each refresh token once. */
function twoTabs() {
  const storage = new MemoryStorage();
  let now = 1_000_000;
  let cookies = "";
  const handlers: [type: string, handler: (event: { key: string | null }) => void][] = [];
  const fire = (type: string) => {
    for (const [of, handler] of handlers) if (of === type) handler({ key: SESSION_KEY });
  };
  const used = new Set<string>();
  let issued = 1;
  const exchange = vi.fn(async (refreshToken: string) => {
    await Promise.resolve();
    if (used.has(refreshToken)) throw new ApiError({ status: 401, code: "token_reused" });
    used.add(refreshToken);
    issued += 1;
    return session(issued);
  });
  const lock = fairLock();
  const tab = () =>
    createSessionKeeper({
      storage,
      exchange,
      lock,
      now: () => now,
      events: {
        addEventListener: (type: string, handler: unknown) => handlers.push([type, handler] as (typeof handlers)[number]),
      } as Pick<Window, "addEventListener">,
      cookies: { get: () => cookies, set: (cookie) => (cookies = cookie.split(";")[0] ?? "") },
    });
  return {
    tab,
    exchange,
    storage,
    /** The storage events that a browser sends to the other tabs. */
    announce: () => fire("storage"),
    fire,
    pass: (seconds: number) => (now += seconds * 1000),
    closeBrowser: () => (cookies = ""),
  };
}

/** Runs tasks one after another, like Web Locks. */
function fairLock(): TabLock {
  let last: Promise<unknown> = Promise.resolve();
  return (_name, work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}

class MemoryStorage implements Storage {
  #items = new Map<string, string>();
  get length() {
    return this.#items.size;
  }
  clear = () => this.#items.clear();
  getItem = (key: string) => this.#items.get(key) ?? null;
  key = (index: number) => [...this.#items.keys()][index] ?? null;
  removeItem = (key: string) => void this.#items.delete(key);
  setItem = (key: string, value: string) => void this.#items.set(key, value);
}

describe("the session", () => {
  let world: ReturnType<typeof twoTabs>;
  beforeEach(() => {
    world = twoTabs();
  });

  it("returns a valid token without a request", async () => {
    const tab = world.tab();
    tab.begin(session(1), true);
    world.pass(LIFETIME_S - 31);
    expect(await tab.accessToken()).toBe("access-1");
    expect(world.exchange).not.toHaveBeenCalled();
  });

  it("renews it before it expires", async () => {
    const tab = world.tab();
    tab.begin(session(1), true);
    world.pass(LIFETIME_S - 29);
    expect(await tab.accessToken()).toBe("access-2");
  });

  it("uses each refresh token once, with any number of concurrent requests and tabs", async () => {
    const a = world.tab();
    a.begin(session(1), true);
    const b = world.tab();
    world.pass(LIFETIME_S);
    const tokens = await Promise.all([a.accessToken(), a.accessToken(), b.accessToken(), b.replaceToken("access-1")]);
    expect(tokens).toEqual(["access-2", "access-2", "access-2", "access-2"]);
    expect(world.exchange).toHaveBeenCalledTimes(1);
  });

  it("ends with a reason when the server refuses the refresh token", async () => {
    const tab = world.tab();
    tab.begin(session(1), true);
    const ended = vi.fn<(reason: EndReason) => void>();
    tab.onEnd(ended);
    world.exchange.mockRejectedValueOnce(new ApiError({ status: 401, code: "token_reused" }));
    world.pass(LIFETIME_S);
    expect(await tab.accessToken()).toBeNull();
    expect(world.storage.getItem(SESSION_KEY)).toBeNull();
    expect(ended.mock.calls).toEqual([["expired"]]);
    expect(tab.lastEnd()).toBe("expired");
  });

  it.each([
    new ApiError({ status: 0, code: "network" }),
    new ApiError({ status: 503, code: "unavailable" }),
    new ApiError({ status: 429, code: "rate_limited" }),
  ])("survives a transient failure: $code", async (error) => {
    const tab = world.tab();
    tab.begin(session(1), true);
    world.exchange.mockRejectedValueOnce(error);
    world.pass(LIFETIME_S);
    await expect(tab.accessToken()).rejects.toBe(error);
    expect(tab.user()?.id).toBe("u1");
    expect(await tab.accessToken()).toBe("access-2");
  });

  it("stays ended if the user signs out during a renewal", async () => {
    const tab = world.tab();
    tab.begin(session(1), true);
    world.pass(LIFETIME_S);
    const renewal = tab.accessToken();
    tab.end("signed_out");
    expect(await renewal).toBeNull();
    expect(tab.user()).toBeNull();
    expect(world.storage.getItem(SESSION_KEY)).toBeNull();
  });

  it.each([
    ["succeeds", () => session(2)],
    ["is refused", () => Promise.reject(new ApiError({ status: 401, code: "token_reused" }))],
  ])("is not changed when a renewal of the previous session %s", async (_, answer) => {
    const tab = world.tab();
    tab.begin(session(1), true);
    world.pass(LIFETIME_S);
    world.exchange.mockImplementationOnce(async () => {
      tab.begin(session(5, { ...USER, id: "u2" }), true);
      return answer();
    });
    expect(await tab.accessToken()).toBe("access-5");
    expect(tab.user()?.id).toBe("u2");
    expect(tab.current()?.refresh_token).toBe("refresh-5");
  });

  it("never returns another user's token", async () => {
    const tab = world.tab();
    tab.begin(session(5, { ...USER, id: "u2" }), true);
    expect(await tab.accessToken("u2")).toBe("access-5");
    await expect(tab.accessToken("u1")).rejects.toMatchObject({ status: 401 });
    await expect(tab.accessToken(null)).rejects.toMatchObject({ status: 401 });
    await expect(tab.replaceToken("access-1", "u1")).rejects.toMatchObject({ status: 401 });
  });

  it.each(["pageshow", "visibilitychange"])("is read again on %s by a page that missed the storage events", (event) => {
    const [first, second] = [world.tab(), world.tab()];
    first.begin(session(1), true);
    world.announce();
    first.end("signed_out");
    expect(second.user()?.id).toBe("u1");
    world.fire(event);
    expect(second.user()).toBeNull();
  });

  it("ends in all tabs at once", () => {
    const a = world.tab();
    a.begin(session(1), true);
    const b = world.tab();
    const ended = vi.fn<(reason: EndReason) => void>();
    b.onEnd(ended);
    a.end("signed_out");
    world.announce();
    expect(b.user()).toBeNull();
    expect(ended.mock.calls).toEqual([["signed_out"]]);
  });

  it("ends in the other tabs for the same reason", () => {
    world.announce();
    const [first, second] = [world.tab(), world.tab()];
    first.begin(session(1), true);
    world.announce();
    const reasons: EndReason[] = [];
    second.onEnd((reason) => reasons.push(reason));
    first.end("expired");
    world.announce();
    first.begin(session(2), true);
    world.announce();
    first.end("signed_out");
    first.end("expired");
    world.announce();
    first.begin(session(3), true);
    world.announce();
    first.end("deleted");
    world.announce();
    expect(reasons).toEqual(["expired", "signed_out", "deleted"]);
  });

  it("clears a user's data when another user signs in in another tab", () => {
    const a = world.tab();
    a.begin(session(1), true);
    const b = world.tab();
    const ended = vi.fn<(reason: EndReason) => void>();
    b.onEnd(ended);
    a.begin(session(5, { ...USER, id: "u2" }), true);
    world.announce();
    expect(b.user()?.id).toBe("u2");
    expect(ended.mock.calls).toEqual([["other_user"]]);
  });

  it("does not report an end when only the token was renewed", async () => {
    const tab = world.tab();
    tab.begin(session(1), true);
    const ended = vi.fn<(reason: EndReason) => void>();
    tab.onEnd(ended);
    world.pass(LIFETIME_S);
    await tab.accessToken();
    world.announce();
    expect(ended).not.toHaveBeenCalled();
  });

  it("survives closing the browser only if it is remembered", () => {
    world.tab().begin(session(1), true);
    world.closeBrowser();
    expect(world.tab().user()?.id).toBe("u1");

    world.tab().begin(session(2), false);
    expect(world.tab().user()?.id).toBe("u1");
    world.closeBrowser();
    expect(world.tab().user()).toBeNull();
    expect(world.storage.getItem(SESSION_KEY)).toBeNull();
  });

  it("remembers its user after it ended, also when it ended with the browser", () => {
    const tab = world.tab();
    expect(tab.lastUserId()).toBeNull();
    tab.begin(session(1), false);
    tab.end("expired");
    expect(tab.lastUserId()).toBe("u1");
    tab.begin(session(2, { ...USER, id: "u2" }), false);
    world.closeBrowser();
    const later = world.tab();
    expect(later.user()).toBeNull();
    expect(later.lastUserId()).toBe("u2");
  });

  it("updates the user in all tabs, and ignores data of other users", () => {
    const [first, second] = [world.tab(), world.tab()];
    first.begin(session(1), true);
    world.announce();
    first.updateUser({ ...USER, fullname: "Олена" });
    world.announce();
    expect(second.user()?.fullname).toBe("Олена");
    first.updateUser({ ...USER, id: "u2", fullname: "Хтось" });
    expect(first.user()?.fullname).toBe("Олена");
    first.end("signed_out");
    first.updateUser(USER);
    expect(first.user()).toBeNull();
  });

  it.each(["", "null", "{", "[]", '{"access_token":1}', '{"access_token":"a","refresh_token":"b"}'])(
    "ignores an invalid stored session: %s",
    async (text) => {
      world.storage.setItem(SESSION_KEY, text);
      const tab = world.tab();
      expect(tab.user()).toBeNull();
      expect(await tab.accessToken()).toBeNull();
    },
  );
});

describe("updated user data", () => {
  it("is adopted in all tabs without a new session", () => {
    const world = twoTabs();
    const first = world.tab();
    first.begin(session(1), true);
    const other = world.tab();
    const ended = vi.fn();
    other.onEnd(ended);
    first.updateUser({ ...USER, fullname: "Олена" });
    world.announce();
    expect(first.user()?.fullname).toBe("Олена");
    expect(other.user()?.fullname).toBe("Олена");
    expect(world.tab().user()?.fullname).toBe("Олена");
    expect(first.current()?.access_token).toBe("access-1");
    expect(ended).not.toHaveBeenCalled();
  });

  it("does not start a session after its end or for another user", () => {
    const tab = twoTabs().tab();
    tab.begin(session(1), true);
    tab.updateUser({ ...USER, id: "u2" });
    expect(tab.user()?.id).toBe("u1");
    tab.end("signed_out");
    tab.updateUser(USER);
    expect(tab.user()).toBeNull();
  });
});

describe("the lock in a browser without Web Locks", () => {
  it("admits one tab at a time", async () => {
    vi.useFakeTimers();
    const storage = new MemoryStorage();
    const locks = [tabLock(undefined, storage), tabLock(undefined, storage)];
    let inside = 0;
    let most = 0;
    const works = [...locks, ...locks].map((lock) =>
      lock("test", async () => {
        inside += 1;
        most = Math.max(most, inside);
        await new Promise((resolve) => setTimeout(resolve, 100));
        inside -= 1;
      }),
    );
    await vi.advanceTimersByTimeAsync(5_000);
    await Promise.all(works);
    expect(most).toBe(1);
    expect(storage.length).toBe(0);
    vi.useRealTimers();
  });

  it("is released when the tab that held it is gone", async () => {
    vi.useFakeTimers();
    const storage = new MemoryStorage();
    storage.setItem("test.lease", `gone ${Date.now() + 5_000}`);
    const work = tabLock(undefined, storage)("test", async () => "done");
    await vi.advanceTimersByTimeAsync(6_000);
    expect(await work).toBe("done");
    vi.useRealTimers();
  });
});
