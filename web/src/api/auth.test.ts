import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useTheme } from "@/lib/theme";
import { beforeSignOut, enterWithHandoff, googleStart, signIn, signOut, signUp, verifyCode } from "./auth";
import { session } from "./client";
import type { Session } from "./schema";

const switchLocale = vi.hoisted(() => vi.fn(async () => undefined));
vi.mock("@/lib/i18n", async (original) => ({ ...(await original<object>()), switchLocale }));

const FORM = { email: "o@example.org", password: "Слово-2026-слово" };
const sessionWith = (look: { locale: string | null; theme: string | null }) => ({
  access_token: "a",
  refresh_token: "r",
  token_type: "bearer",
  expires_in: 900,
  expires_at: "2099-01-01T00:00:00Z",
  user: { id: "u1", email: FORM.email, ...look },
});

/** Answers every request with this response; records the requests. */
function serve(answer: object) {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    sent.push(await request.json());
    return Response.json(answer);
  });
  return sent;
}

afterEach(async () => {
  serve({});
  await signOut();
  switchLocale.mockClear();
});

it("applies the user's language and theme at sign-in", async () => {
  serve(sessionWith({ locale: "en", theme: "dark" }));
  await signIn(FORM, true);
  expect(switchLocale.mock.calls).toEqual([["en"]]);
  expect(useTheme.getState().theme).toBe("dark");
});

it.each([
  { locale: null, theme: null },
  // From a newer server.
  { locale: "pl", theme: "sepia" },
])("ignores a language or theme that is not chosen or unknown: %o", async (look) => {
  useTheme.getState().setTheme("light");
  serve(sessionWith(look));
  await signIn(FORM, true);
  expect(switchLocale).not.toHaveBeenCalled();
  expect(useTheme.getState().theme).toBe("light");
});

it("signs in when the code is entered, not at sign-up", async () => {
  const registration = { registration: "secret", email: FORM.email, resend_after: 60, code_expires_at: "", sent: true };
  const requests = serve(registration);
  expect(await signUp({ ...FORM, confirm_password: FORM.password, terms: true }, "uk")).toEqual(registration);
  expect(requests).toEqual([{ ...FORM, confirm_password: FORM.password, terms: true, locale: "uk" }]);
  expect(session.user()).toBeNull();

  const verified = serve(sessionWith({ locale: null, theme: null }));
  await verifyCode("secret", "K7MPX", true);
  expect(verified).toEqual([{ registration: "secret", code: "K7MPX" }]);
  expect(session.user()?.id).toBe("u1");
});

it("sends whether the session is to be remembered", async () => {
  const sent = serve(sessionWith({ locale: null, theme: null }));
  await signIn(FORM, false);
  expect(sent).toEqual([{ ...FORM, remember: false }]);
  const address = "/api/v1/auth/google/start?intent=signup&remember=true&locale=uk";
  expect(googleStart("signup", true, "uk")).toBe(address);
  expect(googleStart("signup", true, "uk", "7")).toBe(`${address}&plan=7`);
});

describe("before a sign-out", () => {
  afterEach(() => vi.useRealTimers());

  it("waits for pending saves, and continues if they fail", async () => {
    serve(sessionWith({ locale: "uk", theme: "dark" }));
    await signIn(FORM, true);
    let fail = (_: Error) => {};
    const stops = [
      beforeSignOut(() => new Promise((_, reject) => (fail = reject))),
      beforeSignOut(() => {
        throw new Error("at once");
      }),
    ];
    const out = signOut();
    await Promise.resolve();
    expect(session.user()?.id).toBe("u1");
    fail(new Error("no network"));
    await out;
    expect(session.user()).toBeNull();
    for (const stop of stops) stop();
  });

  it("does not wait long, and does not end another user's session", async () => {
    serve(sessionWith({ locale: "uk", theme: "dark" }));
    await signIn(FORM, true);
    vi.useFakeTimers();
    const stop = beforeSignOut(() => new Promise(() => {}));
    const out = signOut();
    await vi.advanceTimersByTimeAsync(1_500);
    await out;
    expect(session.user()).toBeNull();

    await signIn(FORM, true);
    const overtaken = signOut();
    session.begin({ ...sessionWith({ locale: null, theme: null }), user: { id: "u2" } } as Session, true);
    await vi.advanceTimersByTimeAsync(1_500);
    await overtaken;
    expect(session.user()?.id).toBe("u2");
    stop();
  });
});

describe("a new account", () => {
  const SAVED = { locale: "uk", theme: "system", mail_on_completion: false, settings: {} };
  let stored: object;

  /** A server with an account of this age, in seconds, at sign-in. */
  const serveAccount = (age: number, look: { locale: string | null; theme: string | null }) => {
    stored = SAVED;
    const startedAt = Date.parse("2099-01-01T00:00:00Z") - 900_000;
    const answer = sessionWith(look);
    const user = { ...answer.user, created_at: new Date(startedAt - age * 1000).toISOString() };
    vi.stubGlobal("fetch", async (request: Request) => {
      if (!request.url.endsWith("/preferences")) return Response.json({ ...answer, user });
      if (request.method === "PUT") stored = await request.json();
      return Response.json(stored);
    });
  };

  beforeEach(() => useTheme.getState().setTheme("dark"));

  it("keeps the language and theme chosen as a guest", async () => {
    serveAccount(0, { locale: null, theme: null });
    await verifyCode("secret", "K7MPX", true);
    await vi.waitFor(() => expect(session.user()?.theme).toBe("dark"));
    expect(stored).toEqual({ ...SAVED, theme: "dark" });
  });

  it("also keeps them if it was created by a sign-in with Google", async () => {
    serveAccount(59, { locale: "uk", theme: "system" });
    await enterWithHandoff("handoff", true);
    expect(useTheme.getState().theme).toBe("dark");
    await vi.waitFor(() => expect(session.user()?.theme).toBe("dark"));
    expect(stored).toEqual({ ...SAVED, theme: "dark" });
  });

  it.each([
    [61, "system"],
    [1, "light"],
  ])("is not assumed for an existing account after a sign-in with Google: %d s old, %s", async (age, theme) => {
    serveAccount(age, { locale: "uk", theme });
    await enterWithHandoff("handoff", true);
    expect(useTheme.getState().theme).toBe(theme);
    expect(stored).toBe(SAVED);
  });
});
