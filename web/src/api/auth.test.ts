import { afterEach, expect, it, vi } from "vitest";
import { useTheme } from "@/lib/theme";
import { googleStart, signIn, signOut, signUp, verifyCode } from "./auth";
import { session } from "./client";

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

/** Answers every request with this; gives what was sent. */
function serve(answer: object) {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    sent.push(await request.json());
    return Response.json(answer);
  });
  return sent;
}

afterEach(() => {
  serve({});
  signOut();
  switchLocale.mockClear();
});

it("begins a session in the language and the theme of its user", async () => {
  serve(sessionWith({ locale: "en", theme: "dark" }));
  await signIn(FORM, true);
  expect(switchLocale.mock.calls).toEqual([["en"]]);
  expect(useTheme.getState().theme).toBe("dark");
});

it.each([
  { locale: null, theme: null },
  // A newer server than this page.
  { locale: "pl", theme: "sepia" },
])("leaves as it is what the user has not chosen, or this page does not know: %o", async (look) => {
  useTheme.getState().setTheme("light");
  serve(sessionWith(look));
  await signIn(FORM, true);
  expect(switchLocale).not.toHaveBeenCalled();
  expect(useTheme.getState().theme).toBe("light");
});

it("signs nobody in at sign-up, but with the code", async () => {
  const registration = { registration: "secret", email: FORM.email, resend_after: 60, code_expires_at: "", sent: true };
  const asked = serve(registration);
  expect(await signUp({ ...FORM, confirm_password: FORM.password, terms: true }, "uk")).toEqual(registration);
  expect(asked).toEqual([{ ...FORM, confirm_password: FORM.password, terms: true, locale: "uk" }]);
  expect(session.user()).toBeNull();

  const verified = serve(sessionWith({ locale: null, theme: null }));
  await verifyCode("secret", "K7MPX", true);
  expect(verified).toEqual([{ registration: "secret", code: "K7MPX" }]);
  expect(session.user()?.id).toBe("u1");
});

it("tells the server how long the session is to last", async () => {
  const sent = serve(sessionWith({ locale: null, theme: null }));
  await signIn(FORM, false);
  expect(sent).toEqual([{ ...FORM, remember: false }]);
  expect(googleStart("signup", true, "uk")).toBe("/api/v1/auth/google/start?intent=signup&remember=true&locale=uk");
});
