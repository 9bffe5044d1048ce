import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "./problem";
import type { Session, User } from "./schema";
import { createSessionKeeper, SESSION_KEY } from "./session";
import { startSessionClock } from "./session-clock";
import { tabLock } from "./tab-lock";

const LIFETIME_S = 900;
const START = new Date("2026-11-21T00:00:00Z");

const session = (n: number, lifetime = LIFETIME_S): Session => ({
  access_token: `access-${n}`,
  refresh_token: `refresh-${n}`,
  token_type: "bearer",
  expires_in: lifetime,
  expires_at: "2026-11-21T00:15:00Z",
  user: { id: "u1", email: "olena@example.org" } as User,
});

/** A tab that can be hidden and shown. */
class Page extends EventTarget {
  visibilityState: DocumentVisibilityState = "visible";
  show(state: DocumentVisibilityState) {
    this.visibilityState = state;
    this.dispatchEvent(new Event("visibilitychange"));
  }
}

/** Tabs of one browser, each with its clock, and a server that accepts each refresh token once. */
function browser(lifetime = LIFETIME_S) {
  const network = new EventTarget();
  const used = new Set<string>();
  const exchange = vi.fn(async (token: string) => {
    if (used.has(token)) throw new ApiError({ status: 401, code: "token_reused" });
    used.add(token);
    return session(used.size + 1, lifetime);
  });
  let cookies = "";
  const tab = () => {
    const page = new Page();
    const keeper = createSessionKeeper({
      storage: localStorage,
      exchange,
      lock: tabLock(undefined, localStorage),
      now: () => Date.now(),
      events: network as unknown as Window,
      cookies: { get: () => cookies, set: (cookie) => (cookies = cookie.split(";")[0] ?? "") },
    });
    startSessionClock(keeper, {
      page: page as unknown as Document,
      events: network as unknown as Window,
      now: () => Date.now(),
    });
    return { keeper, page };
  };
  const announce = () => network.dispatchEvent(Object.assign(new Event("storage"), { key: SESSION_KEY }));
  return { tab, exchange, network, announce };
}

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1000);

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ now: START });
});
afterEach(() => {
  vi.clearAllTimers();
  vi.useRealTimers();
});

it("renews the token a minute before it expires, even without requests, and repeatedly", async () => {
  const { tab, exchange } = browser();
  const { keeper } = tab();
  keeper.begin(session(1), true);
  await pass(LIFETIME_S - 61);
  expect(exchange).not.toHaveBeenCalled();
  await pass(2);
  expect(keeper.current()?.access_token).toBe("access-2");
  await pass(LIFETIME_S);
  expect(keeper.current()?.access_token).toBe("access-3");
});

it("sends one request for five tabs, and all of them get the token", async () => {
  const { tab, exchange, announce } = browser();
  const tabs = [tab(), tab(), tab(), tab(), tab()];
  tabs[0]?.keeper.begin(session(1), true);
  announce();
  await pass(LIFETIME_S - 50);
  expect(exchange).toHaveBeenCalledTimes(1);
  expect(tabs.map(({ keeper }) => keeper.current()?.access_token)).toEqual(Array(5).fill("access-2"));
});

it("does not renew on a hidden page, but as soon as it is shown again", async () => {
  const { tab, exchange } = browser();
  const { keeper, page } = tab();
  keeper.begin(session(1), true);
  page.show("hidden");
  await pass(3 * LIFETIME_S);
  expect(exchange).not.toHaveBeenCalled();
  page.show("visible");
  await pass(1);
  expect(keeper.current()?.access_token).toBe("access-2");
});

it("retries after a transient failure, and at once when the network is back", async () => {
  const { tab, exchange, network } = browser();
  const { keeper } = tab();
  keeper.begin(session(1), true);
  exchange.mockRejectedValue(new ApiError({ status: 0, code: "network" }));
  await pass(LIFETIME_S - 45);
  expect(exchange).toHaveBeenCalledTimes(1);
  await pass(30);
  expect(exchange).toHaveBeenCalledTimes(2);
  exchange.mockResolvedValue(session(7));
  network.dispatchEvent(new Event("online"));
  await pass(1);
  expect(keeper.current()?.access_token).toBe("access-7");
});

it("does not renew after a sign-out in another tab", async () => {
  const { tab, exchange, announce } = browser();
  const [first, second] = [tab(), tab()];
  first.keeper.begin(session(1), true);
  announce();
  second.keeper.end("signed_out");
  announce();
  await pass(3 * LIFETIME_S);
  expect(first.keeper.user()).toBeNull();
  expect(exchange).not.toHaveBeenCalled();
});

it("limits the rate of requests if tokens are valid for seconds only", async () => {
  const { tab, exchange } = browser(4);
  tab().keeper.begin(session(1, 4), true);
  await pass(20);
  expect(exchange.mock.calls.length).toBeGreaterThan(4);
  expect(exchange.mock.calls.length).toBeLessThanOrEqual(10);
});
